import type { Locator, Page } from '@playwright/test';

/** What the console shows instead of itself: why it cannot be opened, and how it can. */
export class SessionPage {
  readonly notSignedIn: Locator;
  readonly linkRefused: Locator;
  /** What to type on the node's computer. */
  readonly command: Locator;
  readonly goOn: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.notSignedIn = page.getByRole('heading', { name: 'Open the console with a link' });
    this.linkRefused = page.getByRole('heading', { name: 'This link has been used or is too old' });
    this.command = page.getByText('npm run console-link');
    this.goOn = page.getByRole('button', { name: 'Go on' });
  }

  /** Says, in an open console, that it hears nothing of its node. */
  get connectionLost(): Locator {
    return this.#page.getByTestId('connection-lost');
  }
}
