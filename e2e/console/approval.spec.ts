import type { Page } from '@playwright/test';
import type { ClientWallet } from '../support/clients/client-wallet.ts';
import {
  createAccount,
  finishSpending,
  type ReachedNode,
  receivingToken,
  requestSpending,
  type SpendingLimits,
  usd,
} from '../support/clients/flows.ts';
import { tabTo } from '../support/pages/keyboard.ts';
import { ApprovalPage, ApprovalsPage } from './pages/approval-page.ts';
import { AppsPage, GrantPage } from './pages/apps-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { Sections } from './pages/sections.ts';
import { WaitingPage } from './pages/waiting-page.ts';
import { expect, type Person, test } from './story-fixtures.ts';

const ARMS_AFTER_MS = 1_500;

interface Scene {
  page: Page;
  node: ReachedNode;
  client: ClientWallet;
  person: Person;
}

const hostOf = (url: string) => new URL(url).host;
const hostAndPath = (url: string) => hostOf(url) + new URL(url).pathname;
const dateText = (date: Date) => date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const otherThan = (code: string) => (code === '0000' ? '0001' : '0000');

/**
 * Makes a request for money of the buyer. Its page is open in front of the person who asks, and the operator reads the
 * request in the console.
 */
async function requestOnScreen({ page, node, client, person }: Scene, limits: SpendingLimits, options?: { javaScriptEnabled: boolean }) {
  const buyer = await createAccount(node, 'buyer', 50_000n);
  const asked = await requestSpending(node, client, buyer.walletAddress, limits);
  const waiting = await person.open(asked.grant.interact.redirect, options);
  const code = await new WaitingPage(waiting).readCode();
  await new Sections(page).goTo('Approvals');
  await new ApprovalsPage(page).requestOf(hostAndPath(client.url)).click();
  const request = new ApprovalPage(page);
  await expect(request.asked).toBeVisible();
  return { buyer, asked, waiting, code, request };
}

/** The query with which the person's browser has come back to the client. */
async function backAtClient(waiting: Page, client: ClientWallet): Promise<URLSearchParams> {
  await expect(waiting).toHaveURL((url) => url.href.startsWith(client.finishUri));
  await expect(waiting.getByText('You are back at Corner Bookshop')).toBeVisible();
  return new URL(waiting.url()).searchParams;
}

test('a request appears without a reload, says everything line by line, and is approved with the code', async ({
  desk: { page },
  node,
  client,
  person,
  refused,
}) => {
  refused(400);
  const shop = await createAccount(node, 'shop', 0n);
  const buyer = await createAccount(node, 'buyer', 50_000n);
  const sections = new Sections(page);
  await expect(new OverviewPage(page).account('The buyer')).toBeVisible();
  await page.evaluate(() => Reflect.set(window, 'sameDocument', true));

  const { id: receiver } = await client.sdk.incomingPayment.create(
    { url: node.publicUrl, accessToken: await receivingToken(node, client) },
    { walletAddress: shop.walletAddress },
  );
  const limits = { debitAmount: usd('5000'), interval: 'R/2026-01-01T00:00:00Z/P1M', receiver };
  const asked = await requestSpending(node, client, buyer.walletAddress, limits);
  await expect(sections.waiting).toBeHidden();
  const waiting = await person.open(asked.grant.interact.redirect);
  const code = await new WaitingPage(waiting).readCode();
  expect(code).toMatch(/^\d{4}$/);
  await expect(waiting.getByText(hostAndPath(client.url))).toBeVisible();

  await expect(sections.waiting).toHaveAccessibleName('1 waits for you');
  await expect(page).toHaveTitle('(1) Overview · paydesk');
  await expect(page.getByText('One app waits for your decision')).toBeVisible();
  const told = page.getByText(`${hostAndPath(client.url)} asks for permission`);
  await expect(told).toBeVisible();
  await sections.goTo('Approvals');
  await expect(told).toBeHidden();
  const before = performance.now();
  await new ApprovalsPage(page).requestOf(hostAndPath(client.url)).click();

  const request = new ApprovalPage(page);
  await request.code.fill(code);
  await expect(request.approve).toBeEnabled();
  expect(performance.now() - before).toBeGreaterThanOrEqual(ARMS_AFTER_MS);
  const now = new Date();
  const [first, second, third] = [0, 1, 2].map((months) => dateText(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months))));
  const lines = (await request.asked.innerText()).split(/\n+/);
  expect(lines.map((line) => line.replace(/^\d?\d:\d\d(?=\. )/, 'HH:MM'))).toEqual([
    ...['Who asks', `${hostAndPath(client.url)} (calls itself “Corner Bookshop”)`],
    ...['Wants to', 'make payments', 'From account', `The buyer (${hostAndPath(buyer.walletAddress)})`],
    ...['How much', 'up to US$50.00'],
    ...['How often', `every month, counted from 1 January 2026 (beginning ${first}, ${second} and ${third})`],
    ...['To whom', `only “The shop” (${hostAndPath(shop.walletAddress)})`],
    ...['Also wants to', 'ask what a payment would cost', 'see the payments it made'],
    ...['Until when', 'until you revoke it', 'Answer by', `HH:MM. The browser then returns to ${hostOf(client.url)}.`],
  ]);
  await expect(request.asked.locator('strong').first()).toHaveText(hostAndPath(client.url));
  await expect(request.exact).toContainText('Most that leaves the account: US$50.00');

  for (const tooShort of ['', '12', '123', '12a']) {
    await request.code.fill(tooShort);
    await expect(request.approve).toHaveText('Approve');
    await expect(request.approve).toBeDisabled();
  }
  await request.code.fill(otherThan(code));
  await request.approve.click();
  await expect(page.getByText('That is not the code on the page. 4 attempts left.')).toBeVisible();
  await expect(request.code).toHaveValue('');
  await expect(request.code).toBeFocused();
  await expect(request.approve).toBeDisabled();
  await request.code.fill(code);
  await request.approve.click();
  await expect(request.outcome('Approved')).toContainText(`The waiting page now goes back to ${hostOf(client.url)} by itself.`);

  const token = await finishSpending(node, client, asked, await backAtClient(waiting, client));
  expect(token.access).toContainEqual({
    type: 'outgoing-payment',
    actions: ['create', 'read', 'list'],
    identifier: buyer.walletAddress,
    limits,
  });
  await client.sdk.outgoingPayment.getGrantSpentAmounts({ url: node.publicUrl, accessToken: token.value });
  await expect(sections.waiting).toBeHidden();
  expect(await page.evaluate(() => Reflect.get(window, 'sameDocument'))).toBe(true);
});

test('clickjacked or rushed approval: the button waits each time the window comes to the front, and the deny button has the focus', async ({
  desk: { page, operator },
  node,
  client,
  person,
}) => {
  const { code, request } = await requestOnScreen({ page, node, client, person }, { debitAmount: usd('5000') });
  await expect(request.deny).toBeFocused();
  await request.code.fill(code);
  await expect(request.approve).toBeEnabled();
  // The click comes at once, as from a person in front of whom another window has just opened.
  const clicked = await request.approve.evaluate(async (button: HTMLButtonElement) => {
    window.dispatchEvent(new Event('focus'));
    while (!button.disabled) await new Promise((resolve) => requestAnimationFrame(resolve));
    button.click();
    return true;
  });
  expect(clicked).toBe(true);
  expect(await operator.approvals.list()).toHaveLength(1);
  await expect(request.approve).toBeEnabled();
  await request.approve.click();
  await expect(request.outcome('Approved')).toBeVisible();
});

test('a denial sends the browser back with nothing but the refusal', async ({ desk: { page }, node, client, person }) => {
  const { waiting, request, asked } = await requestOnScreen({ page, node, client, person }, { debitAmount: usd('5000') });
  await expect(request.deny).toBeFocused();
  for (const language of ['de', 'en']) {
    await page.evaluate((tag) => localStorage.setItem('paydesk-language', tag), language);
    await page.reload();
    await expect(request.asked).toBeVisible();
    await request.fits({ width: 390, height: 844 });
    await request.fits({ width: 320, height: 553 });
  }
  await request.deny.click();
  await expect(request.outcome('Denied')).toContainText('The app learns this and gets nothing.');
  expect(Object.fromEntries(await backAtClient(waiting, client))).toEqual({ session: '7', result: 'grant_rejected' });
  const { uri, access_token } = asked.grant.continue;
  const refused = client.sdk.grant.continue({ url: uri, accessToken: access_token.value }, { interact_ref: 'made-up' });
  await expect(refused).rejects.toMatchObject({ status: 404 });
});

test('a browser without JavaScript comes back too', { tag: '@long' }, async ({ desk: { page }, node, client, person }) => {
  const scene = { page, node, client, person };
  const { waiting, request, code, asked } = await requestOnScreen(scene, { debitAmount: usd('5000') }, { javaScriptEnabled: false });
  await request.code.fill(code);
  await request.approve.click();
  await expect(waiting).toHaveURL((url) => url.href.startsWith(client.finishUri));
  await finishSpending(node, client, asked, await backAtClient(waiting, client));
});

test('a request without an amount needs a limit', { tag: '@long' }, async ({ desk: { page }, node, client, person }) => {
  const { waiting, request, code, asked } = await requestOnScreen({ page, node, client, person }, {});
  await expect(request.asked).toContainText('any amount');
  await request.code.fill(code);
  await expect(request.approve).toHaveText('Approve');
  for (const noLimit of ['', '0', '-1', '1.005', 'lots']) {
    await request.limit.fill(noLimit);
    await expect(request.approve).toBeDisabled();
  }
  await request.limit.fill('20.5');
  await request.approve.click();
  const { access } = await finishSpending(node, client, asked, await backAtClient(waiting, client));
  expect(access).toContainEqual(expect.objectContaining({ type: 'outgoing-payment', limits: { debitAmount: usd('2050') } }));
});

test('any amount is allowed only by typing the account’s name', async ({ desk: { page }, node, client, person }) => {
  const { waiting, request, code, asked } = await requestOnScreen({ page, node, client, person }, {});
  await request.allowAny.click();
  await request.code.fill(code);
  await expect(request.approve).toHaveText('Approve');
  for (const otherName of ['', 'buye', 'shop']) {
    await request.accountName.fill(otherName);
    await expect(request.approve).toBeDisabled();
  }
  await request.accountName.fill('buyer');
  await request.approve.click();
  const { access } = await finishSpending(node, client, asked, await backAtClient(waiting, client));
  expect(JSON.stringify(access)).not.toContain('debitAmount');
});

test('a limit on what arrives is told as what it is, and the limit that fits it is at hand', { tag: '@long' }, async ({
  desk: { page },
  node,
  client,
  person,
}) => {
  const limits = { receiveAmount: usd('1000') };
  const { waiting, request, code, asked } = await requestOnScreen({ page, node, client, person }, limits);
  await expect(request.asked).toContainText('any amount (until the receivers say that US$10.00 have arrived)');
  await expect(page.getByText('It limits only what arrives')).toBeVisible();
  await expect(request.limit).toHaveValue('10.20');
  await expect(request.grantedLines).toContainText('up to US$10.20, until US$10.00 have arrived');
  await request.code.fill(code);
  await request.approve.click();
  const { access } = await finishSpending(node, client, asked, await backAtClient(waiting, client));
  expect(access).toContainEqual(expect.objectContaining({ limits: { ...limits, debitAmount: usd('1020') } }));
});

test('a limit that begins anew every second is none, and the operator’s own holds in total', { tag: '@long' }, async ({
  desk: { page },
  node,
  client,
  person,
}) => {
  const limits = { debitAmount: usd('5000'), interval: 'R/2026-01-01T00:00:00Z/PT1S' };
  const { waiting, request, code, asked } = await requestOnScreen({ page, node, client, person }, limits);
  await expect(request.asked).toContainText('any amount (up to US$50.00)');
  await expect(request.exact).toContainText('US$50.00, which counts as no limit');
  await request.code.fill(code);
  await expect(request.approve).toHaveText('Approve');
  await expect(request.approve).toBeDisabled();
  await request.limit.fill('1000000000');
  await expect(page.getByText('This is so much that it is no limit.')).toBeVisible();
  await expect(request.approve).toBeDisabled();
  await request.limit.fill('300');
  await expect(request.grantedLines).toContainText('up to US$300.00');
  await request.approve.click();
  const { access } = await finishSpending(node, client, asked, await backAtClient(waiting, client));
  expect(access).toContainEqual(expect.objectContaining({ limits: { debitAmount: usd('30000') } }));
});

/** A day so many days from today, as a date field holds it, in the browser's time zone. */
const dayFromNow = (page: Page, days: number): Promise<string> =>
  page.evaluate((count) => {
    const date = new Date();
    date.setDate(date.getDate() + count);
    const two = (value: number) => String(value).padStart(2, '0');
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  }, days);

test('the operator allows less, for a limited time, and the app gets exactly that', async ({
  desk: { page, operator },
  node,
  client,
  person,
}) => {
  const limits = { debitAmount: usd('5000'), interval: 'R/2026-01-01T00:00:00Z/P1M' };
  const { waiting, request, code, asked } = await requestOnScreen({ page, node, client, person }, limits);
  await expect(request.grantedLines).toBeHidden();
  await expect(request.lowerDebit).toBeHidden();
  await request.changeTerms.click();
  await expect(request.lowerDebit).toHaveValue('50.00');
  await request.code.fill(code);
  await expect(request.approve).toBeEnabled();
  for (const notLess of ['50.01', '', '0', '0.00', '-1', '1.005', 'lots']) {
    await request.lowerDebit.fill(notLess);
    await expect(request.approve).toBeDisabled();
    await expect(request.grantedLines).toBeHidden();
  }
  await request.lowerDebit.fill('12.5');
  await expect(request.grantedLines).toContainText('up to US$12.50');
  await expect(request.grantedLines).toContainText('until you revoke it');
  await expect(request.asked).toContainText('up to US$50.00');
  await request.lastDay.fill(await dayFromNow(page, -1));
  await expect(page.getByText('This day is over.')).toBeVisible();
  await expect(request.approve).toBeDisabled();
  await request.lastDay.fill(await dayFromNow(page, 2));
  await expect(request.grantedLines).not.toContainText('until you revoke it');
  await request.approve.click();

  const { access } = await finishSpending(node, client, asked, await backAtClient(waiting, client));
  expect(access).toContainEqual(expect.objectContaining({ type: 'outgoing-payment', limits: { ...limits, debitAmount: usd('1250') } }));
  const [granted] = (await operator.apps.grants({})).items;
  const days = ((granted?.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(1.9);
  expect(days).toBeLessThan(3.1);

  await new Sections(page).goTo('Connected apps');
  await new AppsPage(page).grantsOf(hostAndPath(client.url)).first().click();
  const grant = new GrantPage(page);
  await expect(grant.asked).toContainText('Most that leaves the account: US$50.00');
  await expect(grant.rights).toContainText('Most that leaves the account: US$12.50');
  await expect(grant.facts).toContainText(/Ends.*\d{4}/s);
});

test('opening the terms without changing them grants what was asked for', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
  client,
  person,
}) => {
  const { waiting, request, code, asked } = await requestOnScreen({ page, node, client, person }, { debitAmount: usd('5000') });
  await request.changeTerms.click();
  await request.code.fill(code);
  await request.approve.click();
  const { access } = await finishSpending(node, client, asked, await backAtClient(waiting, client));
  expect(access).toContainEqual(expect.objectContaining({ type: 'outgoing-payment', limits: { debitAmount: usd('5000') } }));
  expect((await operator.apps.grants({})).items[0]?.expiresAt).toBeNull();
});

test('five wrong codes end the request', { tag: '@long' }, async ({ desk: { page }, node, client, person, refused }) => {
  refused(400);
  refused(404);
  const { waiting, request, code } = await requestOnScreen({ page, node, client, person }, { debitAmount: usd('5000') });
  for (const left of ['4 attempts', '3 attempts', '2 attempts', '1 attempt']) {
    await request.code.fill(otherThan(code));
    await request.approve.click();
    await expect(page.getByText(`That is not the code on the page. ${left} left.`)).toBeVisible();
  }
  await request.code.fill(otherThan(code));
  await request.approve.click();
  await expect(request.outcome('This request is over')).toBeVisible();
  expect((await backAtClient(waiting, client)).get('result')).toBe('grant_rejected');
});

test('the console says when the client withdraws a request that the operator reads', { tag: '@long' }, async ({
  desk: { page },
  node,
  client,
  person,
  refused,
}) => {
  refused(404);
  const { waiting, request, asked } = await requestOnScreen({ page, node, client, person }, { debitAmount: usd('5000') });
  const { uri, access_token } = asked.grant.continue;
  await client.sdk.grant.cancel({ url: uri, accessToken: access_token.value });
  await expect(request.outcome('This request is over')).toContainText('was withdrawn');
  await expect(request.approve).toBeHidden();
  expect((await backAtClient(waiting, client)).has('interact_ref')).toBe(false);
});

test('the console says when a request that the operator reads is decided elsewhere', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
  client,
  person,
  refused,
}) => {
  refused(404);
  const { waiting, request } = await requestOnScreen({ page, node, client, person }, { debitAmount: usd('5000') });
  const [shown] = await operator.approvals.list();
  await operator.approvals.deny({ id: shown?.id ?? '' });
  await expect(request.outcome('This request is over')).toContainText('decided in another window');
  await backAtClient(waiting, client);
  await page.getByRole('link', { name: 'See other requests' }).click();
  await expect(new ApprovalsPage(page).nothingWaits).toBeVisible();
});

test('the operator finds and approves the request with the keyboard alone', async ({ desk: { page }, node, client, person }) => {
  const buyer = await createAccount(node, 'buyer', 50_000n);
  await expect(new OverviewPage(page).account('The buyer')).toBeVisible();
  const asked = await requestSpending(node, client, buyer.walletAddress, { debitAmount: usd('5000') });
  const waiting = await person.open(asked.grant.interact.redirect);
  const code = await new WaitingPage(waiting).readCode();
  await expect(new Sections(page).waiting).toBeVisible();

  await tabTo(page, /^Approvals/);
  await page.keyboard.press('Enter');
  await expect(new ApprovalsPage(page).requestOf(hostAndPath(client.url))).toBeVisible();
  await tabTo(page, /^Decide about /);
  await page.keyboard.press('Enter');
  const request = new ApprovalPage(page);
  await expect(request.deny).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(request.code).toBeFocused();
  await page.keyboard.type(code);
  await expect(request.approve).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(request.outcome('Approved')).toBeVisible();
  await finishSpending(node, client, asked, await backAtClient(waiting, client));
});
