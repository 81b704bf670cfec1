import type { Locator, Page } from 'playwright-core';
import type { Operator } from '../support/nodes/running-node.ts';
import type { Say } from './say.ts';
import type { Scene } from './scene.ts';

/** A screen: where it is, and what is done there before somebody looks at it. */
export interface Shot {
  name: string;
  /** A path of the console, or a whole address. A function makes one anew each time. */
  path: string | (() => Promise<string>);
  /** In which sizes the pictures of the documentation have it, besides the sheets. Without it, at a desk. */
  docs?: 'both' | 'phone' | 'none';
  /** Opens or types something, in any language. @returns another window, when that is the one to look at. */
  before?: (page: Page, say: Say) => Promise<Page | undefined>;
}

/** A node in a certain state, and the screens to look at while it is in that state. */
export interface Stage {
  /** Where its console is. */
  origin: string;
  operator: Operator;
  /** Opens the console in a new page. */
  enter: (page: Page) => Promise<void>;
  shots: readonly Shot[];
}

const main = (page: Page): Locator => page.getByRole('main');

/** Presses the first button of the page that says this. */
export const press = async (page: Page, name: RegExp): Promise<void> => {
  await main(page).getByRole('button', { name }).first().click();
};

/** Opens the dialog behind a button, and fills in its fields. Both are named by the keys of their words. */
export const dialog =
  (button: string, fields: Readonly<Record<string, string>> = {}) =>
  async (page: Page, say: Say): Promise<undefined> => {
    await press(page, say(button));
    await fill(page, say, fields);
  };

/** Fills in the fields of the dialog that opens. */
async function fill(page: Page, say: Say, fields: Readonly<Record<string, string>>): Promise<void> {
  const opened = page.getByRole('dialog');
  await opened.waitFor();
  for (const [label, text] of Object.entries(fields)) await opened.getByLabel(say(label)).first().fill(text);
}

/** Opens a dialog behind the menu of a page. */
const menuDialog =
  (item: string) =>
  async (page: Page, say: Say): Promise<undefined> => {
    await press(page, say('common.more'));
    await page.getByRole('menuitem', { name: say(item) }).click();
    await page.getByRole('dialog').waitFor();
  };

/** Tries whether the node can be reached, so that the steps of the check are in the picture. */
const tryReach = async (page: Page, say: Say): Promise<undefined> => {
  await press(page, say('health.reach.start'));
  await page.getByRole('button', { name: say('health.reach.again') }).waitFor();
};

/** Makes an invitation, so that its code is in the picture. */
const invite = async (page: Page, say: Say): Promise<undefined> => {
  await page.getByLabel(say('invitations.limit')).fill('500');
  await page.getByLabel(say('invitations.introduction')).fill('Anna from the garden shop');
  await press(page, say('invitations.make'));
  await main(page).getByText('paydesk-invite-').first().waitFor();
};

/** Chooses an account at the till and types 48. Nothing is charged, so that the other pictures stay as they are. */
export const typeAtTill = async (page: Page, say: Say): Promise<undefined> => {
  const charge = page.getByRole('button', { name: say('till.charge') });
  const account = page.getByRole('button', { name: /^The shop/ });
  await charge
    .or(account)
    .or(page.getByRole('button', { name: say('till.chargeNothing') }))
    .first()
    .waitFor();
  if (await account.isVisible()) await account.click();
  const five = page.getByRole('button', { name: /^(5|٥)$/ });
  await five.waitFor();
  for (const key of '48') await page.keyboard.press(key);
  await charge.waitFor();
};

/** Types the code of the page of an app, so that the request can be approved. */
const typeCode =
  (code: string) =>
  async (page: Page, say: Say): Promise<undefined> => {
    await page.getByLabel(say('approvals.code')).fill(code);
    await page
      .getByRole('button', { name: say('approvals.approve') })
      .and(page.locator(':enabled'))
      .waitFor();
  };

/** Every screen, as it is on a day in a shop. */
export const screens = (scene: Scene): Shot[] => [
  { name: 'overview', path: '/' },
  { name: 'get-paid', path: '/get-paid' },
  { name: 'till', path: '/till', docs: 'both', before: typeAtTill },
  { name: 'request', path: `/get-paid/${scene.requestId}` },
  { name: 'pay', path: '/pay' },
  { name: 'payments', path: '/payments', docs: 'both' },
  { name: 'payment', path: `/payments/${scene.paymentId}`, docs: 'both' },
  { name: 'approvals', path: '/approvals', docs: 'both' },
  { name: 'approval', path: `/approvals/${scene.approvalId}`, docs: 'both', before: typeCode(scene.code) },
  { name: 'apps', path: '/apps' },
  { name: 'app', path: `/apps/${scene.grantId}` },
  { name: 'accounts', path: '/accounts' },
  { name: 'account', path: `/accounts/${scene.shopId}` },
  { name: 'account-new', path: '/accounts/new' },
  { name: 'products', path: '/products' },
  { name: 'closings', path: '/closings' },
  { name: 'reports', path: '/reports' },
  { name: 'statements', path: '/statements' },
  { name: 'peers', path: '/peers' },
  { name: 'peer', path: `/peers/${scene.peerId}` },
  { name: 'peer-new', path: '/peers/new' },
  { name: 'peer-invite', path: '/peers/invite', docs: 'both', before: invite },
  { name: 'peer-accept', path: '/peers/accept' },
  { name: 'peer-rafiki', path: '/peers/rafiki' },
  { name: 'reach', path: '/reach', docs: 'both' },
  { name: 'rates', path: '/rates' },
  { name: 'health', path: '/health', before: tryReach },
  { name: 'health-log', path: '/health/log' },
  { name: 'activity', path: '/activity' },
  { name: 'settings', path: '/settings' },
];

/** What opens before a screen, or is typed on it. */
export const dialogs = (scene: Scene): Shot[] => [
  {
    name: 'approval-lower',
    path: `/approvals/${scene.approvalId}`,
    before: async (page, say) => {
      await press(page, say('approvals.changeAmountsAndEnd'));
      await page.getByLabel(say('approvals.lower.debit')).first().fill('120');
      await page.getByTestId('granted-lines').waitFor();
    },
  },
  { name: 'people-invite', path: '/settings', before: dialog('people.invite', { 'people.name': 'Ada' }) },
  { name: 'app-revoke', path: `/apps/${scene.grantId}`, before: dialog('apps.revokeGrant') },
  { name: 'app-replace', path: `/apps/${scene.grantId}`, before: dialog('apps.rotateOf') },
  {
    name: 'account-deposit',
    path: `/accounts/${scene.shopId}`,
    before: dialog('accounts.deposit', { 'accounts.amount': '150', 'accounts.note': 'Cash from the till' }),
  },
  {
    name: 'account-key',
    path: `/accounts/${scene.shopId}`,
    before: dialog('accounts.addKey', { 'accounts.keyLabel': 'Till at the door' }),
  },
  { name: 'peer-settle', path: `/peers/${scene.peerId}`, before: dialog('peers.settle', { 'peers.amount': '80' }) },
  { name: 'peer-edit', path: `/peers/${scene.peerId}`, before: menuDialog('peers.edit') },
  { name: 'rate-edit', path: '/rates', before: dialog('rates.editOf') },
  { name: 'rate-source', path: '/rates', before: dialog('rateSources.add') },
  { name: 'rate-follow', path: '/rates', before: dialog('pairs.follow') },
  { name: 'rate-fee', path: '/rates', before: dialog('pairs.fees.add') },
  { name: 'payments-none', path: '/payments?text=lighthouse&min=20.00' },
  { name: 'payments-export', path: '/payments', before: dialog('payments.export') },
  { name: 'settings-backup', path: '/settings', before: dialog('settings.backups.make') },
  { name: 'settings-passphrase', path: '/settings', before: dialog('lock.card.protect') },
  {
    name: 'palette',
    path: '/',
    before: async (page, say) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('textbox', { name: say('palette.placeholder') }).fill('sho');
    },
  },
  {
    name: 'shortcuts',
    path: '/',
    before: async (page, say) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: say('palette.shortcuts') }).waitFor();
    },
  },
];

/** A payment that nobody can be asked about any more. */
export const trouble = (paymentId: string): Shot[] => [
  { name: 'payment-unknown', path: `/payments/${paymentId}` },
  { name: 'payment-unknown-question', path: `/payments/${paymentId}`, before: dialog('payments.didArrive') },
];

/** A peer that has not answered a packet with money. */
export const silence = (peerId: string): Shot[] => [{ name: 'peer-held', path: `/peers/${peerId}`, docs: 'both' }];

/** Each list before there is anything in it. */
export const empties: readonly Shot[] = [
  { name: 'overview-empty', path: '/' },
  { name: 'payments-empty', path: '/payments' },
  { name: 'approvals-empty', path: '/approvals' },
  { name: 'apps-empty', path: '/apps' },
  { name: 'peers-empty', path: '/peers' },
  { name: 'rates-empty', path: '/rates' },
];
