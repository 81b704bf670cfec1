import type { Locator, Page } from '@playwright/test';

/** The page at `interact.redirect`, in front of the person who asks. */
export class WaitingPage {
  readonly heading: Locator;
  readonly code: Locator;

  constructor(page: Page) {
    this.heading = page.getByRole('heading', { name: 'Approve this request in paydesk' });
    this.code = page.locator('[data-code]');
  }

  async readCode(): Promise<string> {
    return await this.code.innerText();
  }
}
