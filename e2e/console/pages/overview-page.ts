import type { Locator, Page } from '@playwright/test';

/** The console's first page. */
export class OverviewPage {
  readonly heading: Locator;
  readonly health: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.heading = page.getByRole('heading', { name: 'Overview', level: 1 });
    this.health = page.getByRole('heading', { name: 'Your node' });
  }

  /** The tile of an account, with its name, its balance and its address. */
  account(publicName: string): Locator {
    return this.#page.getByRole('region', { name: 'Balances' }).getByRole('listitem').filter({ hasText: publicName });
  }
}
