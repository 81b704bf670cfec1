import type { Locator, Page } from '@playwright/test';

/** What every app may do. */
export class AppsPage {
  readonly none: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.none = page.getByText('No app is connected');
  }

  /** The permissions of the app at `host` (with its path), newest first. */
  grantsOf(host: string): Locator {
    return this.#page.getByRole('region', { name: host }).getByRole('listitem').getByRole('link');
  }

  /** Ends everything that app may do, and says yes to the question. */
  async revokeAllOf(host: string): Promise<void> {
    await this.#page
      .getByRole('region', { name: host })
      .getByRole('button', { name: /^Revoke all/ })
      .click();
    const question = this.#page.getByRole('dialog', { name: 'Revoke everything this app may do?' });
    await question.getByRole('button', { name: 'Revoke all', exact: true }).click();
  }
}

/** One permission of one app. */
export class GrantPage {
  readonly rights: Locator;
  /** What was asked for, where the operator allowed less. */
  readonly asked: Locator;
  readonly limits: Locator;
  readonly facts: Locator;
  /** The tokens handed out, the current one first. */
  readonly tokens: Locator;
  readonly revoke: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.rights = page.getByRole('region', { name: /^What it (may do|was allowed to do)$/ });
    this.asked = page.getByRole('region', { name: 'What it had asked for' });
    this.limits = page.getByRole('region', { name: 'Limits and use' });
    this.facts = page.getByRole('region', { name: 'Details' });
    this.tokens = page.getByRole('region', { name: 'Access tokens' }).getByRole('listitem');
    this.revoke = page.getByRole('main').getByRole('button', { name: 'Revoke permission' });
  }

  replaceOf(token: Locator): Locator {
    return token.getByRole('button', { name: /^Replace token / });
  }
  revokeOf(token: Locator): Locator {
    return token.getByRole('button', { name: /^Revoke token / });
  }

  /** Answers yes to the question that is open. */
  async confirm(question: string, answer: string): Promise<void> {
    await this.#page.getByRole('dialog', { name: question }).getByRole('button', { name: answer, exact: true }).click();
  }
}
