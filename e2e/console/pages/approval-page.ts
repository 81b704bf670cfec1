import { expect, type Locator, type Page } from '@playwright/test';

/** The list of requests that wait. */
export class ApprovalsPage {
  readonly nothingWaits: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.nothingWaits = page.getByText('Nothing waits for you');
  }

  /** The link to the request of the client at `host` (with its path). */
  requestOf(host: string): Locator {
    return this.#page.getByRole('link', { name: `Decide about ${host}` });
  }
}

/** The page of one request, with its decision. */
export class ApprovalPage {
  /** What is asked, one fact a line. */
  readonly asked: Locator;
  readonly code: Locator;
  /** The approve button, whatever its label is while it is disabled. */
  readonly approve: Locator;
  readonly deny: Locator;
  readonly exact: Locator;
  readonly setLimit: Locator;
  readonly allowAny: Locator;
  readonly limit: Locator;
  readonly accountName: Locator;
  /** What the app would get on the operator's own terms, when they differ from what was asked for. */
  readonly grantedLines: Locator;
  /** Opens the fields for the operator's own terms. */
  readonly changeTerms: Locator;
  readonly lowerDebit: Locator;
  readonly lowerReceive: Locator;
  readonly lastDay: Locator;
  readonly #main: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#main = page.getByRole('main');
    this.#page = page;
    this.asked = page.getByTestId('consent-lines');
    this.code = page.getByLabel('Code on the page');
    this.approve = page.getByRole('button', { name: /^(Approve|Read it first…)$/ });
    this.deny = page.getByRole('button', { name: 'Deny' });
    this.exact = page.getByRole('region', { name: 'Exactly what is asked' });
    this.setLimit = page.getByRole('radio', { name: 'Set a limit' });
    this.allowAny = page.getByRole('radio', { name: 'Allow any amount' });
    this.limit = page.getByLabel(/^Most it may spend, in /);
    this.grantedLines = page.getByTestId('granted-lines');
    this.changeTerms = page.getByRole('button', { name: /^(Allow less, or set an end|Set an end)$/ });
    this.lowerDebit = page.getByLabel(/^Most that may leave the account, in /);
    this.lowerReceive = page.getByLabel(/^Most that may arrive, in /);
    this.lastDay = page.getByLabel('Last day');
    this.accountName = page.getByLabel(/ to allow any amount$/).and(page.getByRole('textbox'));
  }

  /** The code and both buttons are in view on a phone of this size, in any language, and leave half of it. */
  async fits(size: { width: number; height: number }): Promise<void> {
    await this.#page.setViewportSize(size);
    const form = this.#main.getByRole('form');
    const needed = [form.getByRole('textbox'), ...(await form.getByRole('button').all())];
    expect(needed).toHaveLength(3);
    for (const place of [0, 200]) {
      await this.#page.evaluate((top) => window.scrollTo(0, top), place);
      for (const one of needed) await expect(one).toBeInViewport({ ratio: 1 });
    }
    await this.#page.evaluate(() => window.scrollTo(0, 0));
    // The first line says who asks.
    await expect(this.asked.locator('dd').first()).toBeInViewport({ ratio: 1 });
    expect((await form.boundingBox())?.height).toBeLessThan(size.height / 2);
    // A desktop's bar for scrolling takes some of the width.
    const beyond = await this.#page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(beyond).toBe(0);
  }

  /** The outcome of the request, shown in its place. */
  outcome(title: 'Approved' | 'Denied' | 'This request is over'): Locator {
    return this.#main.getByRole('status').filter({ hasText: title });
  }
}
