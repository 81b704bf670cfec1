import type { Page } from '@playwright/test';
import { createAccount } from '../support/clients/flows.ts';
import { AccountPage, AccountsPage } from './pages/account-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { PayPage } from './pages/pay-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

/** Holds the first call of `operation`: the node answers it at once, or gets it when it is released. */
async function holdFirst(page: Page, operation: string, { answered }: { answered: boolean }) {
  const [held, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(
    `**/operator/rpc/${operation}`,
    async (route) => {
      const response = answered ? await route.fetch() : undefined;
      arrived.resolve();
      await held.promise;
      await (response ? route.fulfill({ response }) : route.continue());
    },
    { times: 1 },
  );
  return { arrived: arrived.promise, release: () => held.resolve() };
}

test('a change while a screen waits for its first answer is on the screen', async ({ desk: { page, operator }, node }) => {
  const { id } = await createAccount(node, 'till', 1_000n);
  await new Sections(page).goTo('Accounts');
  const movements = await holdFirst(page, 'accounts/movements', { answered: true });
  await new AccountsPage(page).rows.click();
  await movements.arrived;
  const account = new AccountPage(page);
  await expect(account.balance).toHaveText('US$10.00');
  await operator.accounts.deposit({ requestId: crypto.randomUUID(), id, amount: 250n, note: 'From the bank' });
  // The page has heard of the change.
  await expect(account.balance).toHaveText('US$12.50');
  movements.release();
  await expect(account.book.filter({ hasText: 'From the bank' })).toContainText('US$2.50');
});

for (const waits of [false, true])
  test(`a change before the page hears of changes is on the screen${waits ? ', also when the page waits no longer' : ''}`, async ({
    desk: { page, operator },
    node,
  }) => {
    const { id } = await createAccount(node, 'till', 1_000n);
    const overview = new OverviewPage(page);
    await expect(overview.account('The till')).toContainText('10.00');
    const changes = await holdFirst(page, 'node/changes', { answered: false });
    await page.reload();
    await changes.arrived;
    if (waits) await expect(overview.account('The till')).toContainText('10.00');
    // A page that would read too early does so now.
    else await page.waitForResponse('**/operator/rpc/accounts/list', { timeout: 1_000 }).catch(() => undefined);
    await operator.accounts.deposit({ requestId: crypto.randomUUID(), id, amount: 250n, note: '' });
    changes.release();
    await expect(overview.account('The till')).toContainText('12.50');
  });

test('a price that arrives after the operator chose another payee is not shown for that payee', { tag: '@long' }, async ({
  desk: { page },
  node,
}) => {
  await createAccount(node, 'till', 10_000n);
  const [shop, other] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'other', 0n)];
  const held = Promise.withResolvers<void>();
  await page.route('**/operator/rpc/payments/quote', async (route) => {
    await held.promise;
    await route.continue();
  });
  await new Sections(page).goTo('Pay');
  const pay = new PayPage(page);
  await pay.to.fill(shop.walletAddress);
  await pay.find.click();
  await pay.amount.fill('12');
  await pay.getPrice.click();
  await pay.back.click();
  await pay.to.fill(other.walletAddress);
  await pay.find.click();
  await expect(pay.fact('Calls itself')).toHaveText('The other');
  const answered = page.waitForResponse('**/operator/rpc/payments/quote');
  held.resolve();
  await (await answered).finished();
  await expect(pay.amount).toHaveValue('');
  // When this later request is answered, the page has also handled the first answer.
  await pay.amount.fill('3');
  await pay.getPrice.click();
  await expect(pay.fact('Calls itself')).toHaveText('The other');
  await expect(pay.fact('Leaves your account')).toHaveText('US$3.00');
});

test('a withdrawal whose answer was lost can be sent again, and takes effect once', async ({
  desk: { page, operator, problems },
  node,
}) => {
  const { id } = await createAccount(node, 'till', 1_000n);
  problems.expect(/net::ERR_FAILED/);
  await new Sections(page).goTo('Accounts');
  await new AccountsPage(page).rows.click();
  const account = new AccountPage(page);
  await account.open('Withdraw');
  await account.amount.fill('6');
  await page.route(
    '**/operator/rpc/accounts/withdraw',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await account.press('Record withdrawal of US$6.00');
  await expect(account.balance).toHaveText('US$4.00');
  await expect(account.dialog).not.toContainText('There is not that much in the account.');
  await account.press('Try again');
  await expect(account.dialog).toBeHidden();
  expect((await operator.accounts.get({ id })).balance).toBe(400n);
});

test('a page that stays open over midnight does not count yesterday’s money as today’s', { tag: '@long' }, async ({
  desk: { page },
  node,
}) => {
  await createAccount(node, 'till', 1_000n);
  await expect(new Sections(page).link('Overview')).toBeVisible();
  const overview = page.url();
  // Nothing that the page asked for before counts.
  await page.goto('about:blank');
  let asked = 0;
  await page.route('**/operator/rpc/node/overview', async (route) => {
    asked += 1;
    if (asked > 1) return await route.continue();
    const response = await route.fetch();
    const { json, ...rest } = await response.json();
    const yesterday = new Date(Date.parse(json.now) - 24 * 3_600_000).toISOString();
    return await route.fulfill({ response, json: { json: { ...json, now: yesterday }, ...rest } });
  });
  await page.goto(overview);
  // The page looks at the time once a minute. Its first look can come before the node has told the time.
  await expect.poll(() => asked, { timeout: 150_000 }).toBe(2);
});
