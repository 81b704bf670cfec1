import type { Locator, Page } from '@playwright/test';

/** The till: its keypad, and the one sale that fills the screen. */
export class TillPage {
  readonly amount: Locator;
  readonly note: Locator;
  readonly purpose: Locator;
  readonly privateNote: Locator;
  readonly charge: Locator;
  readonly sales: Locator;
  readonly search: Locator;
  readonly cart: Locator;
  readonly addAmount: Locator;
  /** What the till says about a code. */
  readonly refused: Locator;
  /** The amount of a sale that waits. */
  readonly asked: Locator;
  readonly code: Locator;
  readonly state: Locator;
  readonly problem: Locator;
  readonly cancel: Locator;
  readonly dialog: Locator;
  /** How a sale has ended, with everything around it. */
  readonly end: Locator;
  readonly newSale: Locator;
  readonly back: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.amount = page.getByTestId('typed-amount');
    this.note = page.getByRole('button', { name: 'Add a note' });
    this.privateNote = page.getByRole('textbox', { name: 'Private note' });
    this.purpose = page.getByRole('textbox', { name: 'What it is for' });
    this.charge = page.getByRole('button', { name: /^Charge/ });
    this.sales = page.getByRole('list', { name: 'Sales of today' });
    this.search = page.getByRole('searchbox', { name: 'Find a product' });
    this.cart = page.getByRole('list', { name: 'Cart' });
    this.addAmount = page.getByRole('button', { name: 'Add to the cart' });
    this.refused = page.getByRole('alert');
    this.asked = page.getByTestId('asked-amount');
    this.code = page.getByRole('img', { name: /^QR code of / });
    this.state = page.locator('main').getByRole('status').filter({ hasText: /./ }).last();
    this.problem = page.getByRole('alert').filter({ hasText: 'Problem' });
    this.cancel = page.getByRole('button', { name: 'Cancel sale' });
    this.dialog = page.getByRole('dialog');
    this.end = page.getByTestId('sale-end');
    this.newSale = page.getByRole('button', { name: 'New sale' });
    this.back = page.getByRole('link', { name: 'Back to the console' });
  }

  /** Presses keys of the keypad, named as they are labelled: digits, `.` and `<`. */
  async press(keys: string): Promise<void> {
    for (const key of keys) await this.key(key).click();
  }

  key(key: string): Locator {
    const name = { '.': 'Decimal point', '<': 'Delete the last digit' }[key] ?? key;
    return this.#page.getByRole('button', { name, exact: true });
  }

  /** The tile of a product. */
  tile(name: string): Locator {
    return this.#page.getByRole('region', { name: 'Products' }).getByRole('button', { name });
  }

  /** The names on the tiles, in their order. */
  tiles(): Locator {
    return this.#page.getByRole('region', { name: 'Products' }).getByRole('listitem');
  }

  /** The id of the sale in the address. */
  sale(): string | undefined {
    return new URL(this.#page.url()).searchParams.get('sale')?.replaceAll('"', '') || undefined;
  }
}
