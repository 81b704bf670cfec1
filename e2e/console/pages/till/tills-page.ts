import type { Locator, Page } from '@playwright/test';

/** The card of the settings with the phones and tablets that are tills. */
export class TillsPage {
  readonly card: Locator;
  readonly dialog: Locator;
  readonly name: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.card = page.getByRole('region', { name: 'Phones and tablets as tills' });
    this.dialog = page.getByRole('dialog');
    this.name = this.dialog.getByRole('textbox', { name: 'Name' });
  }

  /** Adds a till. @returns the link in its code. */
  async add(name: string): Promise<string> {
    await this.card.getByRole('button', { name: 'Add a till' }).click();
    await this.name.fill(name);
    await this.dialog.getByRole('button', { name: 'Add a till' }).click();
    await this.dialog.getByRole('img', { name: `Code that makes a device the till ${name}` }).waitFor();
    return (await this.dialog.getByText(/#pair=/).innerText()).replaceAll(/\s/g, '');
  }

  line(name: string): Locator {
    return this.card.getByRole('listitem').filter({ hasText: name });
  }

  /** Presses a button of a till's line, and confirms what it asks. */
  async confirm(name: string, button: string): Promise<void> {
    await this.line(name).getByRole('button', { name: button }).click();
    await this.#page.getByRole('dialog').getByRole('button', { name: button }).click();
  }
}
