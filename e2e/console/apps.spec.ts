import { createHash } from 'node:crypto';
import { createAccount, readCode, receivingToken, requestSpending, spendingToken, usd } from '../support/clients/flows.ts';
import { tabTo } from '../support/pages/keyboard.ts';
import { collectReceived } from '../support/pages/received-text.ts';
import { AppsPage, GrantPage } from './pages/apps-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

const hostAndPath = (url: string) => new URL(url).host + new URL(url).pathname;

/** The hash under which the node stores a token. */
const hashesOf = (secret: string) =>
  (['hex', 'base64', 'base64url'] as const).map((encoding) => createHash('sha256').update(secret).digest(encoding));

test('the operator sees what an app may do and has used, and revokes it step by step', async ({ desk: { page }, node, client }, {
  project,
}) => {
  // A window of the desktop app gets its data over a port. The test can only read what the window shows.
  const overNetwork = project.name === 'headless';
  const [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', 50_000n)];
  const received = overNetwork ? await collectReceived(page) : () => '';
  const receiving = await receivingToken(node, client);
  const limits = { debitAmount: usd('5000'), interval: 'R/2026-01-01T00:00:00Z/P1M' };
  const token = await spendingToken(node, client, buyer.walletAddress, limits);
  const invoice = await client.sdk.incomingPayment.create(
    { url: node.publicUrl, accessToken: receiving },
    { walletAddress: shop.walletAddress, incomingAmount: usd('1250') },
  );
  await client.sdk.outgoingPayment.create(
    { url: node.publicUrl, accessToken: token.value },
    { walletAddress: buyer.walletAddress, incomingPayment: invoice.id, debitAmount: usd('1250') },
  );
  const use = (accessToken: string) => client.sdk.outgoingPayment.getGrantSpentAmounts({ url: node.publicUrl, accessToken });

  const sections = new Sections(page);
  await sections.goTo('Connected apps');
  const grants = new AppsPage(page).grantsOf(hostAndPath(client.url));
  await expect(grants).toHaveCount(1);
  await expect(page.getByTestId('free-access')).toContainText('1 other wallet or app has free access');
  await expect(grants.first()).toContainText(`May make payments from ${hostAndPath(buyer.walletAddress)} of up to US$50.00`);
  await expect(grants.first()).toContainText('US$12.50 of US$50.00 used');
  await expect(grants.first()).toContainText('1 payment made · last used');
  await grants.first().click();

  const grant = new GrantPage(page);
  const now = new Date();
  const reset = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
  const day = reset.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  await expect(grant.limits).toContainText('Leaves the account: US$12.50 of US$50.00 used');
  await expect(grant.limits).toContainText(`Full again ${day}`);
  await expect(grant.facts).toContainText('You approved it');
  await expect(grant.facts).toContainText('Last used');
  await expect(grant.facts.getByRole('link', { name: '1 payment made' })).toBeVisible();
  await expect(grant.tokens).toHaveCount(1);
  await expect(grant.tokens).toContainText('Active');

  await grant.replaceOf(grant.tokens).click();
  await grant.confirm('Replace this token?', 'Replace token');
  await expect(grant.tokens).toContainText('The app has not fetched the next one yet');
  await expect(use(token.value)).rejects.toMatchObject({ status: 401 });
  const { access_token: next } = await client.sdk.token.rotate({ url: token.manage, accessToken: token.value });
  expect(next.value).not.toBe(token.value);
  await use(next.value);
  await expect(grant.tokens).toHaveCount(2);
  await expect(grant.tokens.first()).toContainText('Active');
  await expect(grant.tokens.last()).toContainText('Replaced');
  await expect(grant.tokens.last()).not.toContainText('has not fetched');

  await grant.revokeOf(grant.tokens.first()).click();
  await grant.confirm('Revoke this token?', 'Revoke token');
  await expect(grant.tokens.first()).toContainText('Revoked');
  await expect(use(next.value)).rejects.toMatchObject({ status: 401 });
  await expect(client.sdk.token.rotate({ url: next.manage, accessToken: next.value })).rejects.toMatchObject({
    status: 400,
    code: 'invalid_rotation',
  });

  await grant.revoke.click();
  await grant.confirm('Revoke this permission?', 'Revoke permission');
  await expect(grant.facts).toContainText('Revoked');
  await expect(grant.revoke).toBeHidden();
  await expect(grant.rights).toContainText('What it was allowed to do');
  await sections.goTo('Connected apps');
  await expect(grants).toHaveCount(1);
  await expect(grants.first()).toContainText('Was allowed to');
  await expect(grants.first()).toContainText('Revoked');

  // What nobody was asked for is folded away, and has a page, too.
  await page.getByRole('button', { name: 'Show these' }).click();
  await expect(grants.first()).toContainText('May');
  await expect(page.getByRole('button', { name: 'Show what you allowed' })).toBeVisible();
  await grants.first().click();
  await expect(grant.facts).toContainText('Given without asking, because it moves no money');
  await grant.revoke.click();
  await grant.confirm('Revoke this permission?', 'Revoke permission');
  await expect(grant.facts).toContainText('Revoked');
  const asked = client.sdk.incomingPayment.get({ url: invoice.id, accessToken: receiving });
  await expect(asked).rejects.toMatchObject({ status: 401 });

  // The collection is complete. It holds the answers, and the stream that announced the changes.
  const everything = received() + (await page.content());
  const isIn = (text: string) => everything.includes(text);
  const known = [new URL(client.url).host, ...(overNetwork ? ['"awaitsRotation":true', '"topics":["', invoice.id.slice(-36)] : [])];
  expect(known.filter(isIn)).toEqual(known);
  const secrets = [receiving, token.value, next.value].flatMap((secret) => [secret, ...hashesOf(secret)]);
  expect(Math.min(...secrets.map(({ length }) => length))).toBeGreaterThan(30);
  expect(secrets.filter(isIn)).toEqual([]);
});

test('the operator revokes everything of an app at once, and the console warns of a limit that runs out', async ({
  desk: { page },
  node,
  client,
}) => {
  const [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', 50_000n)];
  const receiving = await receivingToken(node, client);
  const token = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('5000') });
  const pay = async (value: string) => {
    const invoice = await client.sdk.incomingPayment.create(
      { url: node.publicUrl, accessToken: receiving },
      { walletAddress: shop.walletAddress, incomingAmount: usd(value) },
    );
    return await client.sdk.outgoingPayment.create(
      { url: node.publicUrl, accessToken: token.value },
      { walletAddress: buyer.walletAddress, incomingPayment: invoice.id, debitAmount: usd(value) },
    );
  };
  await new Sections(page).goTo('Connected apps');
  const apps = new AppsPage(page);
  const host = hostAndPath(client.url);
  const grants = apps.grantsOf(host);
  await pay('2500');
  await expect(grants.first()).toContainText('Half of it or more is used');
  await pay('1500');
  await expect(grants.first()).toContainText('Nearly used up');
  await pay('1000');
  await expect(grants.first()).toContainText('US$50.00 of US$50.00 used');
  await expect(grants.first()).toContainText('Used up');

  await apps.revokeAllOf(host);
  await expect(page.getByText('2 permissions are revoked.')).toBeVisible();
  await expect(grants.getByText('Revoked')).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Revoke all/ })).toHaveCount(0);
  for (const accessToken of [receiving, token.value])
    await expect(client.sdk.outgoingPayment.getGrantSpentAmounts({ url: node.publicUrl, accessToken })).rejects.toMatchObject({
      status: 401,
    });
});

test('the operator finds and revokes a permission with the keyboard alone', { tag: '@long' }, async ({ desk: { page }, node, client }) => {
  const shop = await createAccount(node, 'shop', 0n);
  const { value: token } = await spendingToken(node, client, shop.walletAddress, { debitAmount: usd('5000') });
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await tabTo(page, /^Connected apps/);
  await page.keyboard.press('Enter');
  await expect(new AppsPage(page).grantsOf(hostAndPath(client.url))).toHaveCount(1);
  await tabTo(page, /^May /);
  await page.keyboard.press('Enter');
  const grant = new GrantPage(page);
  await expect(grant.facts).toContainText('Active');
  await tabTo(page, /^Revoke permission$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Revoke this permission?' })).toBeVisible();
  await tabTo(page, /^Revoke permission$/);
  await page.keyboard.press('Enter');
  await expect(grant.facts).toContainText('Revoked');
  const asked = client.sdk.outgoingPayment.list({ url: node.publicUrl, walletAddress: `${node.publicUrl}/shop`, accessToken: token });
  await expect(asked).rejects.toMatchObject({ status: 401 });
});

test('a permission that is only asked for is never said to be allowed', { tag: '@long' }, async ({ desk: { page }, node, client }) => {
  const buyer = await createAccount(node, 'buyer', 50_000n);
  const asked = await requestSpending(node, client, buyer.walletAddress, {
    debitAmount: usd('999999999'),
    interval: 'R/2026-01-01T00:00:00Z/P1D',
  });
  await readCode(client, asked);
  await new Sections(page).goTo('Connected apps');
  const row = new AppsPage(page).grantsOf(hostAndPath(client.url));
  await expect(row).toContainText('Asks to make payments from');
  await row.click();
  const grant = new GrantPage(page);
  await expect(grant.rights).toContainText('What it asks to do');
  await expect(grant.limits).toContainText('Nothing is allowed yet. You decide about the limits when you approve.');
  await expect(grant.facts).toContainText('EndsYou decide when you approve');
  await expect(page.getByRole('main')).not.toContainText(/You allowed|Not by itself|It may/);
  await grant.decide.click();
  await expect(
    page
      .getByRole('heading', { name: 'Approval request' })
      .or(page.getByRole('button', { name: 'Deny' }))
      .first(),
  ).toBeVisible();
});

test('the operator searches the permissions, and revokes several at once', { tag: '@long' }, async ({ desk: { page }, node, client }) => {
  const [shop, buyer] = [await createAccount(node, 'shop', 50_000n), await createAccount(node, 'buyer', 50_000n)];
  for (const { walletAddress } of [shop, buyer, buyer]) await spendingToken(node, client, walletAddress, { debitAmount: usd('5000') });
  await new Sections(page).goTo('Connected apps');
  const grants = new AppsPage(page).grantsOf(hostAndPath(client.url));
  await expect(grants).toHaveCount(3);
  await page.getByRole('searchbox', { name: 'Search' }).fill('nobody like this');
  await expect(page.getByText('No app matches')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search' }).fill('till');
  await expect(grants).toHaveCount(3);
  await page.getByLabel('Not used for 90 days').check();
  await expect(page.getByText('No app matches')).toBeVisible();
  await page.getByLabel('Not used for 90 days').uncheck();
  const order = page.getByRole('combobox', { name: 'Order' });
  await expect(order.locator('option:checked')).toHaveText('Last used first');
  await order.selectOption('Oldest first');
  await expect(grants.first()).toContainText('/shop');
  const choices = page.getByRole('checkbox', { name: /^Choose this permission of / });
  await choices.nth(1).check();
  await choices.nth(2).check();
  await page.getByRole('button', { name: 'Revoke 2 permissions' }).click();
  await page.getByRole('dialog', { name: 'Revoke 2 permissions?' }).getByRole('button', { name: 'Revoke 2 permissions' }).click();
  await expect(page.getByText('2 permissions are revoked.')).toBeVisible();
  await expect(grants.getByText('Revoked')).toHaveCount(2);
  await expect(grants.first()).toContainText('Active');
});

test('the operator chooses how far to trust an app, and reads in the log that it was done', { tag: '@long' }, async ({
  desk: { page },
  node,
  client,
}) => {
  const buyer = await createAccount(node, 'buyer', 50_000n);
  await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('5000') });
  const sections = new Sections(page);
  await sections.goTo('Connected apps');
  await new AppsPage(page).grantsOf(hostAndPath(client.url)).first().click();
  await expect(page.getByRole('radio', { name: 'As usual (now: Known)' })).toBeChecked();
  const trust = page.getByRole('region', { name: 'How far you trust it' });
  for (const limit of [
    '50 requests a second',
    '2 failed requests a second',
    '2 questions to other wallets a second',
    '16 MB stored an hour',
    '2,000 unpaid requests and unused prices at a time',
    '10 % of the processor',
    'No limit',
  ])
    await expect(trust.getByText(limit, { exact: true })).toHaveCount(1);
  await page.getByRole('radio', { name: 'Stranger' }).click();
  await expect(page.getByText('What the app may use has changed.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Stranger' })).toBeChecked();
  await sections.goTo('Activity');
  await expect(page.getByText(`Chose how far to trust ${client.url}: Stranger`)).toBeVisible();
});
