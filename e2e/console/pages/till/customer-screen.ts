import type { Locator, Page } from '@playwright/test';

/** The window for the customer of a till. */
export class CustomerScreen {
  readonly page: Page;
  readonly main: Locator;
  /** The amount that is asked for, or that was paid. */
  readonly amount: Locator;
  readonly code: Locator;
  readonly cart: Locator;

  constructor(page: Page) {
    this.page = page;
    this.main = page.getByRole('main');
    this.amount = page.getByTestId('customer-amount');
    this.code = page.getByRole('img', { name: 'Scan this code to pay' });
    this.cart = page.getByRole('list', { name: 'Your purchase' });
  }

  /** What kind of screen it is: `quiet`, `cart`, `moment`, `code` or `end`. */
  kind(): Promise<string | null> {
    return this.main.getAttribute('data-kind');
  }
}
