import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createAuthenticatedClient, isFinalizedGrantWithAccessToken } from '@interledger/open-payments';
import { createAccount } from '../support/clients/flows.ts';
import { chooseByTyping } from '../support/pages/choosing.ts';
import { AccountForm } from './pages/account-form.ts';
import { AccountPage, AccountsPage } from './pages/account-page.ts';
import { GetPaidPage } from './pages/get-paid-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { PayPage } from './pages/pay-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

test('a second account has its own currency and its own book', async ({ desk: { page, operator }, node }) => {
  await createAccount(node, 'till', 1_000n);
  const sections = new Sections(page);
  await sections.goTo('Accounts');
  const accounts = new AccountsPage(page);
  await expect(accounts.rows).toHaveCount(1);
  await accounts.add.click();
  const form = new AccountForm(page);
  await form.fill({ publicName: 'Kyoto Stand', currency: 'JPY', openingBalance: '12.5' });
  await expect(form.addressPreview).toHaveText(`${node.publicUrl}/kyoto-stand`);
  await form.create.click();
  await expect(page.getByText('Enter a whole number of JPY, such as 100.')).toBeVisible();
  await form.openingBalance.fill('12500');
  await form.create.click();

  const account = new AccountPage(page);
  await expect(account.title).toHaveText('Kyoto Stand');
  await expect(account.balance).toHaveText('JP¥12,500');
  await expect(account.walletAddress).toHaveText(`${node.publicUrl}/kyoto-stand`);
  await expect(account.book).toHaveText([/Deposit.*\+JP¥12,500/s]);
  await sections.goTo('Overview');
  const overview = new OverviewPage(page);
  await expect(overview.account('Kyoto Stand')).toContainText('JP¥12,500');
  await expect(overview.account('The till')).toContainText('US$10.00');
  expect((await operator.accounts.list({})).items).toContainEqual(
    expect.objectContaining({ name: 'kyoto-stand', assetCode: 'JPY', assetScale: 0, balance: 12_500n }),
  );
});

test('of many accounts a part is listed, and every one is found by its name wherever one is chosen', { tag: '@long' }, async ({
  desk: { page },
  node,
}) => {
  for (let n = 1; n <= 60; n += 1) await createAccount(node, `stand-${n}`, 100n);
  const sections = new Sections(page);
  await sections.goTo('Accounts');
  const accounts = new AccountsPage(page);
  await expect(accounts.rows).toHaveCount(50);
  await expect(accounts.rows.first()).toContainText('The stand-1');
  await accounts.more.press('Enter');
  await expect(accounts.rows).toHaveCount(60);
  await expect(accounts.more).toBeHidden();
  // The keyboard is not thrown back to the top of the page, and a reader hears where they are.
  await expect(page.getByText('This is the end of the list.')).toBeFocused();
  await accounts.search.fill('STAND-60');
  await expect(accounts.rows).toHaveText([/The stand-60/]);
  await accounts.search.fill('nowhere');
  await expect(accounts.nothing).toBeVisible();
  await accounts.search.fill('');
  await expect(accounts.rows.first()).toContainText('The stand-1');

  await sections.goTo('Get paid');
  const request = new GetPaidPage(page);
  await expect(request.into).toHaveValue('The stand-1 (USD)');
  await chooseByTyping(request.into, 'stand-59');
  await expect(request.into).toHaveValue('The stand-59 (USD)');
  await sections.goTo('Pay');
  await chooseByTyping(new PayPage(page).from, 'stand-58');
  await expect(page.getByText('US$1.00 can be spent')).toBeVisible();
  await sections.goTo('Overview');
  await expect(page.getByRole('link', { name: 'All 60 accounts' })).toBeVisible();
});

test('deposits and withdrawals are exact, and the book shows them with their notes', async ({ desk: { page, operator }, node }) => {
  const { id } = await createAccount(node, 'till', 0n);
  await new Sections(page).goTo('Accounts');
  await new AccountsPage(page).rows.click();
  const account = new AccountPage(page);
  await expect(account.balance).toHaveText('US$0.00');

  for (const [amount, shown] of [
    ['0.10', 'US$0.10'],
    ['0.2', 'US$0.20'],
    ['90071992547409.93', 'US$90,071,992,547,409.93'],
  ] as const) {
    await account.open('Deposit');
    await account.amount.fill(amount);
    await account.note.fill(`Cash ${amount}`);
    await account.press(`Record deposit of ${shown}`);
    await expect(account.dialog).toBeHidden();
  }
  // A floating-point number cannot count so many cents one by one.
  await expect(account.balance).toHaveText('US$90,071,992,547,410.23');

  await account.open('Withdraw');
  await account.amount.fill('90071992547410.24');
  await expect(account.dialog).toContainText('There is not that much in the account.');
  await account.press('Record withdrawal of US$90,071,992,547,410.24');
  await expect(account.dialog).toContainText('There is not that much in the account.');
  await account.amount.fill('0.001');
  await expect(account.dialog).toContainText('with at most 2 decimal places');
  await account.amount.fill('90071992547410.22');
  await account.note.fill('To the bank');
  await expect(account.dialog).toContainText('US$0.01');
  await account.press('Record withdrawal of US$90,071,992,547,410.22');
  await expect(account.dialog).toBeHidden();

  await expect(account.balance).toHaveText('US$0.01');
  await expect(account.book).toHaveText([
    /Withdrawal.*\u2212US\$90,071,992,547,410\.22.*To the bank/s,
    /Deposit.*\+US\$90,071,992,547,409\.93.*Cash 90071992547409\.93/s,
    /Deposit.*\+US\$0\.20.*Cash 0\.2/s,
    /Deposit.*\+US\$0\.10.*Cash 0\.10/s,
  ]);
  expect((await operator.accounts.get({ id })).balance).toBe(1n);
});

test('money that another window has just withdrawn cannot be withdrawn again', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
  refused,
}) => {
  refused(409);
  const { id } = await createAccount(node, 'till', 1_000n);
  await new Sections(page).goTo('Accounts');
  await new AccountsPage(page).rows.click();
  const account = new AccountPage(page);
  await account.open('Withdraw');
  await account.amount.fill('10');
  // The console hears about the change, but the balance that it shows may be older than the click.
  await page.route('**/operator/rpc/accounts/get**', () => undefined);
  await operator.accounts.withdraw({ id, requestId: randomUUID(), amount: 1n, note: '' });
  await account.press('Record withdrawal of US$10.00');
  // On the desktop the calls go another way than through the network, so the form knows the balance and says it itself.
  await expect(account.dialog).toContainText('There is not that much in the account.');
  expect((await operator.accounts.get({ id })).balance).toBe(999n);
});

test('an app acts in the account’s name with its key until the key is revoked', async ({ desk: { page }, node, refused }) => {
  refused(400);
  const { walletAddress } = await createAccount(node, 'till', 0n);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyId = randomUUID();
  await new Sections(page).goTo('Accounts');
  await new AccountsPage(page).rows.click();
  const account = new AccountPage(page);
  await expect(account.keys).toContainText('No keys yet.');
  await account.open('Add key');
  await account.keyLabel.fill('Till at the door');
  await account.jwk.fill(JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: keyId, alg: 'EdDSA' }));
  await account.press('Add key');
  await expect(account.dialog.getByRole('alert')).toContainText('This is a private key. Keep it with the app, tell nobody');
  await account.jwk.fill(JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'EdDSA' }));
  await account.press('Add key');
  await expect(account.dialog).toBeHidden();
  await expect(account.keys).toContainText('Till at the door');
  await expect(account.keys).toContainText(keyId);

  const app = await createAuthenticatedClient({
    walletAddressUrl: walletAddress,
    keyId,
    privateKey,
    logLevel: 'silent',
    validateResponses: true,
  });
  const askForToken = () =>
    app.grant.request(
      { url: `${node.publicUrl}/auth` },
      { access_token: { access: [{ type: 'incoming-payment', actions: ['create', 'read'] }] } },
    );
  const grant = await askForToken();
  if (!isFinalizedGrantWithAccessToken(grant)) throw new Error('no token');
  const accessToken = grant.access_token.value;
  const invoice = await app.incomingPayment.create({ url: node.publicUrl, accessToken }, { walletAddress });
  await app.incomingPayment.get({ url: invoice.id, accessToken });

  await account.revokeKey('Till at the door');
  await expect(account.keys).toContainText('Revoked');
  await expect(account.keys.getByRole('button', { name: /^Revoke key/ })).toBeHidden();
  await expect(app.incomingPayment.get({ url: invoice.id, accessToken })).rejects.toMatchObject({ status: 401 });
  await expect(askForToken()).rejects.toMatchObject({ status: 400, code: 'invalid_client' });
});
