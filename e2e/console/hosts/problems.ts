import { expect, type Page } from '@playwright/test';

/** The problems of a page: errors on its console, uncaught errors, and what its content security policy had to stop. */
export class Problems {
  readonly #seen: string[] = [];
  readonly #expected: RegExp[] = [];
  readonly #allowed: RegExp[] = [];

  watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#seen.push(message.text());
    });
    page.on('pageerror', (error) => this.#seen.push(String(error)));
  }

  /** A test calls it that causes problems on purpose. At least one such problem must occur, and none of them counts. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** A test calls it for problems that only some browsers report. */
  allow(pattern: RegExp): void {
    this.#allowed.push(pattern);
  }

  /** Fails the test when something went wrong, or when an expected problem did not come. */
  check(): void {
    const unexpected = this.#seen.filter((problem) => ![...this.#expected, ...this.#allowed].some((pattern) => pattern.test(problem)));
    expect(unexpected, 'problems in the page').toEqual([]);
    const missing = this.#expected.filter((pattern) => !this.#seen.some((problem) => pattern.test(problem)));
    expect(missing, 'problems that did not come').toEqual([]);
  }
}
