import type { Locator, Page } from '@playwright/test';

/** The list of accounts. */
export class AccountsPage {
  readonly add: Locator;
  readonly rows: Locator;
  /** It is there when the accounts are many. */
  readonly search: Locator;
  readonly nothing: Locator;
  readonly more: Locator;

  constructor(page: Page) {
    this.search = page.getByRole('searchbox', { name: 'Search the accounts' });
    this.nothing = page.getByText('No account matches');
    this.more = page.getByRole('button', { name: 'Show more' });
    this.add = page.getByRole('link', { name: 'New account' });
    this.rows = page.getByRole('list', { name: 'Accounts' }).getByRole('link');
  }
}

/** The page of one account, with its money, its book and the keys of its apps. */
export class AccountPage {
  readonly title: Locator;
  readonly balance: Locator;
  readonly walletAddress: Locator;
  /** The lines of the account's book, newest first. */
  readonly book: Locator;
  readonly keys: Locator;
  /** The open dialog about a deposit, a withdrawal or a key. */
  readonly dialog: Locator;
  readonly amount: Locator;
  readonly note: Locator;
  readonly keyLabel: Locator;
  readonly jwk: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.title = page.getByRole('heading', { level: 1 });
    this.balance = page.getByTestId('balance');
    this.walletAddress = page.getByTestId('wallet-address');
    this.book = page.getByRole('list', { name: 'Book' }).getByRole('listitem');
    this.keys = page.getByRole('region', { name: 'Keys of your apps' });
    this.dialog = page.getByRole('dialog');
    this.amount = this.dialog.getByLabel('Amount');
    this.note = this.dialog.getByLabel('Note');
    this.keyLabel = this.dialog.getByLabel('Label');
    this.jwk = this.dialog.getByLabel('Public key (JWK or PEM)');
  }

  async open(dialog: 'Deposit' | 'Withdraw' | 'Add key'): Promise<void> {
    await this.#page.getByRole('main').getByRole('button', { name: dialog, exact: true }).click();
  }

  /** Presses the button of the open dialog with this name. */
  async press(name: string): Promise<void> {
    await this.dialog.getByRole('button', { name, exact: true }).click();
  }

  async revokeKey(label: string): Promise<void> {
    await this.keys.getByRole('button', { name: `Revoke key ${label}` }).click();
    await this.press('Revoke');
  }
}
