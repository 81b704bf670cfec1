import type { Locator, Page } from '@playwright/test';

/** The products of the shop, and the dialog of one. */
export class ProductsPage {
  readonly add: Locator;
  readonly rows: Locator;
  readonly dialog: Locator;
  readonly name: Locator;
  readonly price: Locator;
  readonly tax: Locator;
  readonly code: Locator;
  readonly save: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.add = page.getByRole('button', { name: 'Add a product', exact: true });
    this.rows = page.getByRole('list', { name: 'Products' }).getByRole('listitem');
    this.dialog = page.getByRole('dialog').first();
    this.name = this.dialog.getByLabel('Name');
    this.price = this.dialog.getByLabel('Price');
    this.tax = this.dialog.getByLabel('Tax');
    this.code = this.dialog.getByLabel('Code');
    this.save = this.dialog.getByRole('button', { name: 'Save' });
  }

  row(name: string): Locator {
    return this.#page.getByRole('button', { name: `Change ${name}` });
  }

  colour(name: string): Locator {
    return this.dialog.getByRole('radio', { name });
  }
}
