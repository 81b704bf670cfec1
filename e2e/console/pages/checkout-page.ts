import type { Locator, Page } from '@playwright/test';

/** The public page of an incoming payment, and the pages between it and the visitor's wallet. */
export class CheckoutPage {
  readonly amount: Locator;
  readonly state: Locator;
  readonly wallet: Locator;
  readonly typedAmount: Locator;
  readonly pay: Locator;
  readonly problem: Locator;
  readonly paid: Locator;
  /** The button on the page that leads to the wallet. */
  readonly goToWallet: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.amount = page.locator('.amount');
    this.state = page.getByRole('status');
    this.wallet = page.getByLabel('Your wallet address');
    this.typedAmount = page.getByLabel(/^Amount in /);
    this.pay = page.getByRole('button', { name: 'Pay from this wallet' });
    this.problem = page.getByRole('alert');
    this.paid = page.getByRole('heading', { name: 'Paid' });
    this.goToWallet = page.getByRole('link', { name: /^Go to / });
  }

  async payFrom(wallet: string): Promise<void> {
    await this.wallet.fill(wallet);
    await this.pay.click();
  }

  /**
   * Waits for the page of the visitor's wallet.
   * @returns the code on that page.
   */
  async codeAtWallet(): Promise<string> {
    const code = this.#page.locator('[data-code]');
    await code.waitFor();
    return (await code.getAttribute('data-code')) ?? '';
  }
}
