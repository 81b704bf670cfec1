import type { Locator, Page } from '@playwright/test';

/** The exchange rates and the exchange money. */
export class RatesPage {
  readonly none: Locator;
  readonly noFunds: Locator;
  readonly rows: Locator;
  readonly funds: Locator;
  readonly following: Locator;
  readonly sources: Locator;
  readonly fees: Locator;
  readonly dialog: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.none = page.getByText('No rate is set by hand');
    this.noFunds = page.getByText('Nothing put aside yet');
    this.rows = page
      .getByRole('table', { name: 'Rates set by hand' })
      .getByRole('row')
      .filter({ has: page.getByRole('cell') });
    this.funds = page.getByRole('region', { name: 'Money to exchange with' });
    this.following = page.getByRole('region', { name: 'Rates that follow the sources' });
    this.sources = page.getByRole('region', { name: 'Sources of rates' });
    this.fees = page.getByRole('region', { name: 'Fees for exchanging' });
    this.dialog = page.getByRole('dialog');
  }

  field(label: string): Locator {
    return this.dialog.getByRole('textbox', { name: label });
  }

  async press(name: string): Promise<void> {
    await this.#page.getByRole('main').getByRole('button', { name, exact: true }).first().click();
  }

  async confirm(name: string): Promise<void> {
    await this.dialog.getByRole('button', { name, exact: true }).click();
  }

  async chooseCurrency(name: RegExp): Promise<void> {
    await this.dialog.getByRole('combobox', { name: 'Currency' }).click();
    await this.#page.getByRole('option', { name }).click();
  }
}
