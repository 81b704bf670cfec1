import type { Page } from '@playwright/test';

/** What went wrong in a page: errors on its console, uncaught ones, and what its content security policy had to stop. */
export class Problems {
  readonly #seen: string[] = [];

  watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#seen.push(message.text());
    });
    page.on('pageerror', (error) => this.#seen.push(String(error)));
  }

  /** Takes the problems seen so far: for a test that causes some on purpose. */
  take(): string[] {
    return this.#seen.splice(0);
  }
}
