import type { Locator, Page } from '@playwright/test';

/** The links to the console's sections, and what waits behind them. */
export class Sections {
  /** How many requests wait, beside the name of their section. */
  readonly waiting: Locator;
  readonly #links: Locator;

  constructor(page: Page) {
    this.#links = page.getByRole('navigation', { name: 'Sections' });
    this.waiting = this.#links.getByRole('img', { name: /waits? for you/ });
  }

  async goTo(section: 'Overview' | 'Payments' | 'Approvals' | 'Connected apps' | 'Accounts'): Promise<void> {
    await this.link(section).click();
  }

  link(section: string): Locator {
    return this.#links.getByRole('link', { name: new RegExp(`^${section}`) });
  }
}
