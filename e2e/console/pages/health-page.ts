import type { Locator, Page } from '@playwright/test';

/** The node's health, the reachability check, the log and the support bundle. */
export class HealthPage {
  readonly checks: Locator;
  readonly steps: Locator;
  readonly outcome: Locator;
  readonly kinds: Locator;
  readonly dialog: Locator;
  readonly lines: Locator;
  readonly logSearch: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.checks = page.getByRole('list', { name: 'Checks' }).getByRole('listitem');
    this.steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    this.outcome = page.getByText(/^(The world can reach your node|Others may not be able)/);
    this.kinds = page.getByRole('list', { name: 'What takes how much room' }).getByRole('listitem');
    this.dialog = page.getByRole('dialog');
    this.lines = page.getByRole('list', { name: 'Lines of the log' }).getByRole('listitem');
    this.logSearch = page.getByRole('searchbox', { name: 'Search the log' });
  }

  async press(name: string): Promise<void> {
    await this.#page.getByRole('main').getByRole('button', { name, exact: true }).click();
  }

  async openLog(): Promise<void> {
    await this.#page.getByRole('link', { name: 'Show the log' }).click();
  }

  async confirm(name: string): Promise<void> {
    await this.dialog.getByRole('button', { name, exact: true }).click();
  }
}
