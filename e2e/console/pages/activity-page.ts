import type { Locator, Page } from '@playwright/test';

/** The log of what the operator did. */
export class ActivityPage {
  readonly entries: Locator;
  readonly search: Locator;
  readonly nothing: Locator;
  readonly dialog: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.entries = page.getByRole('list', { name: 'What was done' }).getByRole('listitem');
    this.search = page.getByRole('searchbox', { name: 'Search the log' });
    this.nothing = page.getByText('Nothing matches these filters');
    this.dialog = page.getByRole('dialog');
  }

  async choose(filter: 'Kind' | 'Account', option: string): Promise<void> {
    await this.#page.getByRole('combobox', { name: filter }).click();
    await this.#page.getByRole('option', { name: option, exact: true }).click();
  }

  async clear(): Promise<void> {
    await this.#page.getByRole('link', { name: 'Clear filters' }).first().click();
  }

  async export(): Promise<void> {
    await this.#page.getByRole('main').getByRole('button', { name: 'Export', exact: true }).click();
    await this.dialog.getByRole('button', { name: 'Export', exact: true }).click();
  }
}
