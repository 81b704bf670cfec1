import type { Locator, Page } from '@playwright/test';
import type { Operator } from '../../../support/nodes/running-node.ts';

/** The public page of a claim link, and the pages between it and the customer's wallet. */
export class ClaimPage {
  readonly amount: Locator;
  readonly state: Locator;
  readonly wallet: Locator;
  readonly problem: Locator;
  readonly givenBack: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.amount = page.locator('.amount');
    this.state = page.locator('.state');
    this.wallet = page.getByLabel('Your wallet address');
    this.problem = page.getByRole('alert');
    this.givenBack = page.getByRole('heading', { name: 'Given back' });
  }

  async name(wallet: string): Promise<void> {
    await this.wallet.fill(wallet);
    await this.#page.getByRole('button', { name: 'Ask this wallet' }).click();
  }

  /**
   * Waits for the page of the wallet, to which the browser goes by itself.
   * @returns the code there, and the request that waits for its operator.
   */
  async #atWallet(operator: Operator) {
    const shown = this.#page.locator('[data-code]');
    await shown.waitFor();
    const request = (await operator.approvals.list()).at(-1);
    if (request === undefined) throw new Error('nothing waits at the wallet');
    return { code: (await shown.getAttribute('data-code')) ?? '', request };
  }

  /** The owner of the wallet allows it there, and the browser comes back. */
  async allowAt(operator: Operator): Promise<void> {
    const { code, request } = await this.#atWallet(operator);
    await operator.approvals.approve({ id: request.id, code, shownHash: request.shownHash });
    await this.#page.waitForURL(/\/claim\/[\w-]{32}$/);
  }

  /** The owner of the wallet says no there, and the browser comes back. */
  async denyAt(operator: Operator): Promise<void> {
    const { request } = await this.#atWallet(operator);
    await operator.approvals.deny({ id: request.id });
    await this.#page.waitForURL(/\/claim\/[\w-]{32}$/);
  }
}
