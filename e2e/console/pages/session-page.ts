import type { Locator, Page } from '@playwright/test';

/** What a console that cannot open shows: the reason, and how to open it. */
export class SessionPage {
  readonly notSignedIn: Locator;
  readonly linkRefused: Locator;
  /** The command to type on the node's computer. */
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

  /** The banner of a console that has lost the connection to its node. */
  get connectionLost(): Locator {
    return this.#page.getByTestId('connection-lost');
  }
}
