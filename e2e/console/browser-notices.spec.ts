import type { Page } from '@playwright/test';
import { createAccount } from '../support/clients/flows.ts';
import type { Operator } from '../support/nodes/running-node.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

/** Takes the place of the system that shows notifications, and says that the person looks elsewhere. */
async function elsewhere(page: Page, answer: NotificationPermission): Promise<void> {
  await page.addInitScript((given) => {
    const shown: { text: string; click: () => void }[] = [];
    class Stub {
      static permission: NotificationPermission = 'default';
      static async requestPermission() {
        Stub.permission = given;
        return given;
      }
      onclick: () => void = () => undefined;
      constructor(text: string) {
        shown.push({ text, click: () => this.onclick() });
      }
      close() {}
    }
    Object.assign(window, { Notification: Stub, shown });
    document.hasFocus = () => false;
  }, answer);
  await page.reload();
}

const shownTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => (Reflect.get(window, 'shown') as { text: string }[]).map(({ text }) => text));

/** Money that comes from an account of the same node. */
async function comes(operator: Operator, from: string, to: string, amount: bigint): Promise<void> {
  const { link } = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: to, amount });
  const payee = link.replace('/pay/', '/incoming-payments/');
  const quote = await operator.payments.quote({ requestId: crypto.randomUUID(), accountId: from, payee });
  await operator.payments.pay({ requestId: crypto.randomUUID(), accountId: from, quoteId: quote.id });
}

test('the browser tells of money while the person looks elsewhere, several in one notification', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
}) => {
  const shop = await createAccount(node, 'shop', 0n);
  const buyer = await createAccount(node, 'buyer', 100_000n);
  await elsewhere(page, 'granted');
  await new Sections(page).goTo('Settings');
  await page.getByRole('switch', { name: 'Notify me while I look elsewhere' }).click();
  await expect.poll(() => shownTexts(page)).toEqual(['Notifications of paydesk are on.']);

  await comes(operator, buyer.id, shop.id, 2_600n);
  await expect.poll(() => shownTexts(page)).toContain('US$26.00 received into The shop');
  await comes(operator, buyer.id, shop.id, 100n);
  await expect.poll(() => shownTexts(page)).toContain('You were paid 2 times');

  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await page.getByRole('switch', { name: 'Leave out amounts and names' }).click();
  await comes(operator, buyer.id, shop.id, 200n);
  await expect.poll(() => shownTexts(page)).toContain('You were paid');
  await page.evaluate(() => (Reflect.get(window, 'shown') as { click: () => void }[]).at(-1)?.click());
  await expect(page).toHaveURL(/\/payments\/[\da-f-]{36}$/);
});

test('a browser that refuses is told of with what helps, and in quiet hours nothing notifies', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
}) => {
  const shop = await createAccount(node, 'shop', 0n);
  const buyer = await createAccount(node, 'buyer', 100_000n);
  await elsewhere(page, 'denied');
  await new Sections(page).goTo('Settings');
  const wanted = page.getByRole('switch', { name: 'Notify me while I look elsewhere' });
  await wanted.click();
  await expect(page.getByText('This browser blocks notifications of the console.')).toBeVisible();
  await expect(wanted).not.toBeChecked();

  await elsewhere(page, 'granted');
  await wanted.click();
  await page.getByRole('switch', { name: 'Quiet hours' }).click();
  const hour = await page.evaluate(() => new Date().getHours());
  const time = (hours: number) => `${String((hour + hours) % 24).padStart(2, '0')}:00`;
  await page.getByLabel('From').fill(time(23));
  await page.getByLabel('Until').fill(time(2));
  await comes(operator, buyer.id, shop.id, 2_600n);
  await expect(page.getByText('US$26.00 received into The shop')).toBeVisible();
  expect(await shownTexts(page)).toEqual(['Notifications of paydesk are on.']);
});
