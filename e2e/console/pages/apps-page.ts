import type { Locator, Page } from '@playwright/test';

/** The list of what every app may do. */
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

  /** Revokes everything of that app, and confirms it. */
  async revokeAllOf(host: string): Promise<void> {
    await this.#page
      .getByRole('region', { name: host })
      .getByRole('button', { name: /^Revoke all/ })
      .click();
    const question = this.#page.getByRole('dialog', { name: 'Revoke everything this app may do?' });
    await question.getByRole('button', { name: 'Revoke all', exact: true }).click();
  }
}

/** The page of one permission of one app. */
export class GrantPage {
  readonly rights: Locator;
  /** What was asked for, when the operator allowed less. */
  readonly asked: Locator;
  readonly limits: Locator;
  readonly facts: Locator;
  /** The tokens of the permission, the current one first. */
  readonly tokens: Locator;
  readonly revoke: Locator;
  /** The way to the decision about a request that waits. */
  readonly decide: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.rights = page.getByRole('region', { name: /^What it (asks to do|may do|was allowed to do)$/ });
    this.asked = page.getByRole('region', { name: 'What it had asked for' });
    this.limits = page.getByRole('region', { name: 'Limits and use' });
    this.facts = page.getByRole('region', { name: 'Details' });
    this.tokens = page.getByRole('region', { name: 'Access tokens' }).getByRole('listitem');
    this.revoke = page.getByRole('main').getByRole('button', { name: 'Revoke permission' });
    this.decide = page.getByRole('main').getByRole('link', { name: 'Decide' });
  }

  replaceOf(token: Locator): Locator {
    return token.getByRole('button', { name: /^Replace token / });
  }
  revokeOf(token: Locator): Locator {
    return token.getByRole('button', { name: /^Revoke token / });
  }

  /** Confirms the open question. */
  async confirm(question: string, answer: string): Promise<void> {
    await this.#page.getByRole('dialog', { name: question }).getByRole('button', { name: answer, exact: true }).click();
  }
}
