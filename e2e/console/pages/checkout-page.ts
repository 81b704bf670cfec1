import { expect, type Locator, type Page } from '@playwright/test';
import type { Operator } from '../../support/nodes/running-node.ts';

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

/** A buyer pays at a link from their own wallet, whose operator allows it. */
export async function payAtCheckout(buyer: Page, link: string, wallet: { operator: Operator; walletAddress: string }): Promise<void> {
  await buyer.goto(link);
  const checkout = new CheckoutPage(buyer);
  await checkout.payFrom(wallet.walletAddress);
  await checkout.goToWallet.click();
  const code = await checkout.codeAtWallet();
  const request = (await wallet.operator.approvals.list()).at(-1);
  await wallet.operator.approvals.approve({ id: request?.id ?? '', code, shownHash: request?.shownHash ?? '' });
  await expect(checkout.paid).toBeVisible();
}
