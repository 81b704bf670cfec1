import type { Page } from '@playwright/test';
import { createAccount, salePayer } from '../support/clients/flows.ts';
import { barriers } from '../support/pages/barriers.ts';
import { Sections } from './pages/sections.ts';
import { CustomerScreen } from './pages/till/customer-screen.ts';
import { TillPage } from './pages/till/till-page.ts';
import { expect, test } from './story-fixtures.ts';

const button = (page: Page) => page.getByRole('button', { name: 'Customer’s screen' });

/** Opens the customer's screen by the keyboard. */
async function openScreen(page: Page): Promise<CustomerScreen> {
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
  const [opened] = await Promise.all([page.context().waitForEvent('page'), button(page).press('Enter')]);
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
  return new CustomerScreen(opened);
}

test('the customer sees the cart, the code and green on a screen that keeps nothing of the console', async ({
  desk: { page, problems },
  node,
  client,
}) => {
  const pay = await salePayer(node, client);
  const { id: shop } = await createAccount(node, 'shop', 0n);
  await page.evaluate((id) => localStorage.setItem('paydesk-till-account', id), shop);
  await new Sections(page).goTo('Till');
  const till = new TillPage(page);
  await expect(till.charge).toBeVisible();
  const screen = await openScreen(page);
  problems.watch(screen.page);
  const shows = (kind: string) => expect(screen.main).toHaveAttribute('data-kind', kind);
  await shows('quiet');
  await expect(screen.main).toContainText('The shop');
  await till.press('4.50');
  await expect(screen.main).toContainText('US$4.50');
  await till.addAmount.click();
  await till.press('8');
  await expect(screen.cart.getByRole('listitem')).toHaveCount(2);
  await expect(screen.main).toContainText('US$12.50');
  await shows('cart');

  await till.charge.click();
  await expect(screen.code).toBeVisible();
  await expect(screen.amount).toHaveText('US$12.50');
  expect(await barriers(screen.page)).toEqual([]);
  // Nothing leads from there to the console, and nothing of its session is there.
  await expect(screen.page.getByRole('link')).toHaveCount(0);
  const [kept, own] = await Promise.all([screen.page, page].map((one) => one.evaluate(() => sessionStorage.getItem('paydesk-session'))));
  expect([kept, typeof own]).toEqual([null, 'string']);

  // Each of the two windows is loaded again in the middle, and the screen goes on.
  await screen.page.reload();
  await expect(screen.amount).toHaveText('US$12.50');
  await page.reload();
  await expect(till.code).toBeVisible();
  await shows('code');
  await pay(till.sale() ?? '', '500');
  await expect(screen.main).toContainText('US$7.50 missing, US$5.00 of US$12.50 has arrived');
  await pay(till.sale() ?? '', '750');
  await expect(screen.main).toHaveAttribute('data-paid', 'true');
  await expect(screen.amount).toHaveText('US$12.50');
  await till.newSale.click();
  await shows('quiet');

  // Somebody at the till looks at the sale again. It is nothing for the next customer.
  await till.sales.getByRole('link').first().click();
  await expect(till.end).toContainText('Paid');
  await page.waitForTimeout(2_000);
  await shows('quiet');

  // A till that is gone leaves nothing behind, and goes on where it was.
  await till.newSale.click();
  await till.press('3');
  await till.charge.click();
  await shows('code');
  const address = page.url();
  await page.goto('about:blank');
  await shows('quiet');
  await expect(screen.main).toContainText('The shop');
  await page.goto(address);
  await shows('code');
  await expect(screen.amount).toHaveText('US$3.00');

  await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
  await Promise.all([screen.page.waitForEvent('close'), button(page).click()]);
  const again = await openScreen(page);
  await expect(again.amount).toHaveText('US$3.00');
  await again.page.close();
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
});
