import type { Locator, Page } from 'playwright-core';
import type { Scene } from './scene.ts';

/** A picture: where it is taken, and what must be there first. */
export interface Shot {
  name: string;
  path: string;
  heading: string | RegExp;
  /** Whether it is taken in the size of a phone, too. */
  phone?: true;
  before?: (page: Page) => Promise<void>;
}

const main = (page: Page): Locator => page.getByRole('main');
const press = (page: Page, name: string): Promise<void> => main(page).getByRole('button', { name, exact: true }).first().click();

/** Opens the dialog behind a button, and fills in its fields by their labels. */
const dialog =
  (button: string, fields: Readonly<Record<string, string>> = {}) =>
  async (page: Page): Promise<void> => {
    await press(page, button);
    const opened = page.getByRole('dialog');
    await opened.waitFor();
    for (const [label, text] of Object.entries(fields)) await opened.getByLabel(label).first().fill(text);
  };

/** Tries whether the node can be reached, so that the steps of the check are in the picture. */
const tryReach = async (page: Page): Promise<void> => {
  await press(page, 'Try now');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
};

/** Makes an invitation, so that its code is in the picture. */
const invite = async (page: Page): Promise<void> => {
  await page.getByLabel('The most they may owe you').fill('500.00');
  await page.getByLabel('Who you are').fill('Anna from the garden shop');
  await press(page, 'Make the code');
  await main(page).getByText('paydesk-invite-').first().waitFor();
};

/**
 * Chooses an account at the till and types an amount. Nothing is charged, so that the other pictures stay as they are.
 */
const typeAtTill = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^The shop/ }).click();
  await page.getByRole('button', { name: '5', exact: true }).waitFor();
  for (const key of '12.5') await page.keyboard.press(key);
  await page.getByRole('button', { name: /^Charge / }).waitFor();
};

/** Every screen, as it is on a day in a shop. */
export const screens = (scene: Scene): Shot[] => [
  { name: 'overview', path: '/', heading: 'Overview' },
  { name: 'get-paid', path: '/get-paid', heading: 'Get paid' },
  { name: 'till', path: '/till', heading: 'Till', phone: true, before: typeAtTill },
  { name: 'request', path: `/get-paid/${scene.requestId}`, heading: /^Request for/ },
  { name: 'pay', path: '/pay', heading: /./ },
  { name: 'payments', path: '/payments', heading: 'Payments', phone: true },
  { name: 'payment', path: `/payments/${scene.paymentId}`, heading: /./, phone: true },
  { name: 'approvals', path: '/approvals', heading: 'Approvals', phone: true },
  {
    name: 'approval',
    path: `/approvals/${scene.approvalId}`,
    heading: /./,
    phone: true,
    before: async (page) => {
      await page.getByLabel('Code on the page').fill(scene.code);
      await page.getByRole('button', { name: 'Approve' }).and(page.locator(':enabled')).waitFor();
    },
  },
  { name: 'apps', path: '/apps', heading: 'Connected apps' },
  { name: 'app', path: `/apps/${scene.grantId}`, heading: /./ },
  { name: 'accounts', path: '/accounts', heading: 'Accounts' },
  { name: 'account', path: `/accounts/${scene.shopId}`, heading: 'The shop' },
  { name: 'account-new', path: '/accounts/new', heading: 'New account' },
  { name: 'products', path: '/products', heading: 'Products' },
  { name: 'closings', path: '/closings', heading: 'Day closing' },
  { name: 'reports', path: '/reports', heading: 'Reports' },
  { name: 'statements', path: '/statements', heading: 'Statements' },
  { name: 'peers', path: '/peers', heading: 'Peers' },
  { name: 'peer', path: `/peers/${scene.peerId}`, heading: /./ },
  { name: 'peer-new', path: '/peers/new', heading: /./ },
  { name: 'peer-invite', path: '/peers/invite', heading: 'Invite a peer', phone: true, before: invite },
  { name: 'peer-accept', path: '/peers/accept', heading: 'Accept an invitation' },
  { name: 'reach', path: '/reach', heading: 'Who can pay me', phone: true },
  { name: 'rates', path: '/rates', heading: 'Rates' },
  { name: 'health', path: '/health', heading: 'Health', before: tryReach },
  { name: 'health-log', path: '/health/log', heading: 'Log' },
  { name: 'activity', path: '/activity', heading: 'Activity' },
  { name: 'settings', path: '/settings', heading: 'Settings' },
];

/** What opens before a screen, or is typed on it. */
export const dialogs = (scene: Scene): Shot[] => [
  {
    name: 'approval-lower',
    path: `/approvals/${scene.approvalId}`,
    heading: /./,
    before: async (page) => {
      await press(page, 'Allow less, or set an end');
      await page.getByLabel(/^Most that may leave the account/).fill('120.00');
      await page.getByTestId('granted-lines').waitFor();
    },
  },
  { name: 'people-invite', path: '/settings', heading: 'Settings', before: dialog('Invite a person', { Name: 'Ada' }) },
  { name: 'app-revoke', path: `/apps/${scene.grantId}`, heading: /./, before: dialog('Revoke permission') },
  {
    name: 'app-replace',
    path: `/apps/${scene.grantId}`,
    heading: /./,
    before: async (page) => {
      await main(page)
        .getByRole('button', { name: /^Replace token / })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'account-deposit',
    path: `/accounts/${scene.shopId}`,
    heading: 'The shop',
    before: dialog('Deposit', { Amount: '150.00', Note: 'Cash from the till' }),
  },
  { name: 'account-key', path: `/accounts/${scene.shopId}`, heading: 'The shop', before: dialog('Add key', { Label: 'Till at the door' }) },
  { name: 'peer-settle', path: `/peers/${scene.peerId}`, heading: /./, before: dialog('Record a settlement', { Amount: '80.00' }) },
  {
    name: 'peer-edit',
    path: `/peers/${scene.peerId}`,
    heading: /./,
    before: async (page) => {
      await press(page, 'More');
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'peer-rafiki', path: '/peers/rafiki', heading: 'Rafiki as a peer' },
  { name: 'rate-edit', path: '/rates', heading: 'Rates', before: dialog('Change EUR → USD') },
  { name: 'rate-source', path: '/rates', heading: 'Rates', before: dialog('Add a source') },
  { name: 'rate-follow', path: '/rates', heading: 'Rates', before: dialog('Follow the sources') },
  { name: 'rate-fee', path: '/rates', heading: 'Rates', before: dialog('Set a fee') },
  { name: 'payments-none', path: '/payments?text=lighthouse&min=20.00', heading: 'Payments' },
  { name: 'payments-export', path: '/payments', heading: 'Payments', before: dialog('Export') },
  { name: 'settings-backup', path: '/settings', heading: 'Settings', before: dialog('Back up now') },
  { name: 'settings-passphrase', path: '/settings', heading: 'Settings', before: dialog('Set a passphrase') },
  {
    name: 'palette',
    path: '/',
    heading: 'Overview',
    before: async (page) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('textbox', { name: 'Where to, or what to look for?' }).fill('sho');
    },
  },
  {
    name: 'shortcuts',
    path: '/',
    heading: 'Overview',
    before: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
];

/** A payment that nobody can be asked about any more. */
export const trouble = (paymentId: string): Shot[] => [
  { name: 'payment-unknown', path: `/payments/${paymentId}`, heading: /./ },
  { name: 'payment-unknown-question', path: `/payments/${paymentId}`, heading: /./, before: dialog('It arrived') },
];

/** A peer that has not answered a packet with money. */
export const silence = (peerId: string): Shot[] => [{ name: 'peer-held', path: `/peers/${peerId}`, heading: /./ }];

/** Each list before there is anything in it. */
export const empties: readonly Shot[] = [
  { name: 'overview-empty', path: '/', heading: 'Overview' },
  { name: 'payments-empty', path: '/payments', heading: 'Payments' },
  { name: 'approvals-empty', path: '/approvals', heading: 'Approvals' },
  { name: 'apps-empty', path: '/apps', heading: 'Connected apps' },
  { name: 'peers-empty', path: '/peers', heading: 'Peers' },
  { name: 'rates-empty', path: '/rates', heading: 'Rates' },
];
