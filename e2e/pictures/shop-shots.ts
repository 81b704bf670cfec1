import type { Page } from 'playwright-core';
import type { Counter } from './counter.ts';
import type { Say } from './say.ts';
import type { Scene } from './scene.ts';
import { dialog, press, type Shot, typeAtTill } from './shots.ts';

/** The mark of a screen that only the sheets have. */
const SHEETS = { docs: 'none' } as const;

/** Charges what is typed, so that the customer is asked for a tip. */
const askForTip = async (page: Page, say: Say): Promise<undefined> => {
  await typeAtTill(page, say);
  await page.getByRole('button', { name: say('till.charge') }).click();
  await page.getByRole('button', { name: say('till.tip.none') }).waitFor();
};

/** Opens the window for the customer beside the till. */
const customersScreen = async (page: Page, say: Say): Promise<Page> => {
  const [opened] = await Promise.all([page.context().waitForEvent('page'), press(page, say('till.customer.title'))]);
  await opened.locator('main[data-kind="code"]').waitFor();
  return opened;
};

/** The till in each state of a sale, and what the customer sees. */
export const atTheTill = (counter: Counter): Shot[] => [
  { ...SHEETS, name: 'till-products', path: '/till' },
  { ...SHEETS, name: 'till-tip', path: '/till', before: askForTip },
  { ...SHEETS, name: 'till-code', path: `/till?sale=${counter.waiting}` },
  { ...SHEETS, name: 'till-cancel', path: `/till?sale=${counter.waiting}`, before: dialog('till.cancel') },
  { ...SHEETS, name: 'till-partly', path: `/till?sale=${counter.partly}` },
  { ...SHEETS, name: 'till-problem', path: `/till?sale=${counter.tried}` },
  { ...SHEETS, name: 'till-paid', path: `/till?sale=${counter.paid}` },
  { ...SHEETS, name: 'customer', path: `/till?sale=${counter.waiting}`, before: customersScreen },
];

/** Papers, money that goes back, and what waits for somebody. */
export const shopScreens = (scene: Scene, counter: Counter): Shot[] => [
  { ...SHEETS, name: 'overview-waiting', path: '/' },
  { ...SHEETS, name: 'closing', path: '/closings/1' },
  { ...SHEETS, name: 'closing-close', path: '/closings', before: dialog('closings.close') },
  { ...SHEETS, name: 'product', path: '/products', before: dialog('products.add') },
  { ...SHEETS, name: 'receipt', path: `/receipts/sale/${counter.paid}` },
  { ...SHEETS, name: 'refund', path: `/payments/${counter.known}`, before: dialog('payments.refund.action') },
  { ...SHEETS, name: 'claim-make', path: `/payments/${counter.unknown}`, before: dialog('claims.offer') },
  { ...SHEETS, name: 'claim', path: `/payments/${counter.claimed}` },
  { ...SHEETS, name: 'request-cancel', path: `/get-paid/${scene.requestId}`, before: dialog('payments.cancel') },
];

/** The settings with people, tills and keys, and their dialogs. */
export const peopleScreens: readonly Shot[] = [
  { ...SHEETS, name: 'settings-shop', path: '/settings' },
  { ...SHEETS, name: 'till-add', path: '/settings', before: dialog('tills.add', { 'tills.name': 'Door' }) },
  { ...SHEETS, name: 'till-pair', path: '/settings', before: pairAnew },
  { ...SHEETS, name: 'key-make', path: '/settings', before: dialog('apiKeys.make', { 'apiKeys.name': 'Web shop' }) },
  { ...SHEETS, name: 'pin-set', path: '/settings', before: dialog('ways.pin.set') },
  { ...SHEETS, name: 'password-set', path: '/settings', before: dialog('ways.password.set') },
  { ...SHEETS, name: 'second-person', path: '/settings', before: secondPerson },
];

/** Opens the dialog with the amount above which two persons are needed. */
async function secondPerson(page: Page, say: Say): Promise<undefined> {
  await page
    .getByRole('region', { name: say('people.second.title') })
    .getByRole('button')
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
}

/** Makes a new code for the till, and shows it. */
async function pairAnew(page: Page, say: Say): Promise<undefined> {
  await press(page, say('tills.pairAnewNamed'));
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('tills.pairAnew') })
    .click();
  await page
    .getByRole('dialog')
    .getByRole('img', { name: say('tills.codeLabel') })
    .waitFor();
}

/** A phone that becomes a till, and what it says without a code. */
export const pairedTill = ({ node }: Scene, { tillId }: Counter): Shot[] => [
  { ...SHEETS, name: 'paired-none', path: `${node.publicUrl}/till/` },
  { ...SHEETS, name: 'paired-till', path: async () => (await node.operator.tills.pairAnew({ id: tillId })).link, before: typeAtTill },
];

/** Names a wallet that nobody runs, so that the page says what is wrong. */
const nobodysWallet =
  (field: string, button: string) =>
  async (page: Page, say: Say): Promise<undefined> => {
    await page.getByLabel(say(field)).fill('http://127.0.0.1:9/nobody');
    await page.getByRole('button', { name: say(button) }).click();
    await page.getByRole('alert').waitFor();
  };

/** What customers see of the shop. */
export const publicPages = ({ node, requestUrl, paidUrl, shopUrl, consentUrl }: Scene): Shot[] => [
  { name: 'checkout', docs: 'phone', path: requestUrl },
  { name: 'checkout-paid', docs: 'phone', path: paidUrl },
  { name: 'wallet-address', docs: 'phone', path: shopUrl },
  {
    name: 'checkout-problem',
    docs: 'phone',
    path: requestUrl,
    before: nobodysWallet('checkoutWords.wallet', 'checkoutWords.payFromWallet'),
  },
  { ...SHEETS, name: 'consent', path: consentUrl },
  { ...SHEETS, name: 'nothing-there', path: `${node.publicUrl}/pay/${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}` },
];

/** What customers see of what was sold. */
export const publicPapers = ({ node }: Scene, counter: Counter): Shot[] => [
  { ...SHEETS, name: 'shop', path: node.publicUrl },
  { ...SHEETS, name: 'checkout-bill', path: `${node.publicUrl}/pay/${counter.waiting}` },
  { ...SHEETS, name: 'checkout-partly', path: `${node.publicUrl}/pay/${counter.partly}` },
  { ...SHEETS, name: 'checkout-cancelled', path: counter.cancelledUrl },
  { ...SHEETS, name: 'claim-page', path: counter.claimUrl },
  { ...SHEETS, name: 'claim-problem', path: counter.claimUrl, before: nobodysWallet('claimWords.wallet', 'claimWords.ask') },
  { ...SHEETS, name: 'receipt-page', path: counter.receiptUrl },
  { ...SHEETS, name: 'receipt-roll', path: `${counter.receiptUrl}?paper=roll80` },
  { ...SHEETS, name: 'receipt-check', path: `${node.publicUrl}/receipt/check` },
];
