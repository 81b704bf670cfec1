import { encode } from 'uqr';
import { addSilentPeer } from '../support/clients/flows.ts';
import { expect, test } from './fixtures.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { WelcomePage } from './pages/welcome-page.ts';

const BAKERY = { publicName: 'Corner Bakery', addressName: 'bakery', currency: 'EUR', openingBalance: '125.50' };

test('the first run makes an account and shows its wallet address to scan', async ({ desk: { page, operator } }) => {
  const welcome = new WelcomePage(page);
  await expect(welcome.heading).toBeVisible();
  const { publicUrl } = await operator.node.info();
  await welcome.form.fill(BAKERY);
  await expect(welcome.form.addressPreview).toHaveText(`${publicUrl}/bakery`);
  await welcome.form.create.click();

  await expect(welcome.ready).toBeVisible();
  await expect(welcome.walletAddress).toHaveText(`${publicUrl}/bakery`);
  await expect(welcome.onlyThisComputer).toBeVisible();
  await expect(welcome.stepsToPayment).toHaveText([/public address.*Next/, /peer.*Later/, /payment from outside.*Later/]);
  const { dataFolder } = await operator.settings.node();
  await expect(welcome.onlyThisComputer).toContainText(` -- --data-dir ${dataFolder} --public-url https://`);
  // The picture equals the one that a second encoder makes of the address.
  const { data } = encode(`${publicUrl}/bakery`, { ecc: 'M', border: 3 });
  const dark = data.flat().filter((module) => module).length;
  const path = await welcome.qrCodeOf(`${publicUrl}/bakery`).locator('path').getAttribute('d');
  expect(path?.match(/M\d+ \d+h1v1h-1z/g)).toHaveLength(dark);

  await page.reload();
  await expect(welcome.walletAddress).toHaveText(`${publicUrl}/bakery`);
  await welcome.goToOverview();
  await expect(new OverviewPage(page).account('Corner Bakery')).toContainText('125.50');
  expect((await operator.accounts.list({})).items).toMatchObject([
    { name: 'bakery', publicName: 'Corner Bakery', assetCode: 'EUR', assetScale: 2, balance: 12_550n, reserved: 0n },
  ]);
});

test('the form explains a mistake beside its field, and makes no account', { tag: '@long' }, async ({ desk: { page, operator } }) => {
  const welcome = new WelcomePage(page);
  await welcome.form.fill({ ...BAKERY, addressName: 'auth', openingBalance: '1.0055' });
  await welcome.form.create.click();
  await expect(page.getByText('“auth” has another meaning on this node.')).toBeVisible();
  await expect(page.getByText('with at most 2 decimal places')).toBeVisible();
  await expect(welcome.ready).toBeHidden();
  expect((await operator.accounts.list({})).items).toEqual([]);
});

test.describe('on a node that others can reach', () => {
  test.use({ nodeFlags: ['--public-url', 'https://shop.example', '--trusted-proxies', '127.0.0.1'] });

  test('the first run says that no other wallet can pay yet, and no more once there is a peer', async ({ desk: { page, operator } }) => {
    const welcome = new WelcomePage(page);
    await welcome.form.fill(BAKERY);
    await welcome.form.create.click();
    await expect(welcome.ready).toBeVisible();
    await expect(welcome.onlyThisComputer).toBeHidden();
    await expect(welcome.notConnected).toBeVisible();
    await expect(welcome.stepsToPayment).toHaveText([/public address.*Done/, /peer.*Next/, /payment from outside.*Later/]);
    await expect(welcome.steps.nth(1)).toContainText('Let other wallets pay you');
    await addSilentPeer(operator);
    await expect(welcome.notConnected).toBeHidden();
    await expect(welcome.stepsToPayment).toHaveText([/public address.*Done/, /peer.*Done/, /payment from outside.*Next/]);
    await expect(welcome.steps.nth(1)).toContainText('Other wallets can pay you');
  });
});
