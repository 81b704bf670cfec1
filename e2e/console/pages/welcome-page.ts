import type { Locator, Page } from '@playwright/test';
import { AccountForm } from './account-form.ts';

/** The first run of the console. */
export class WelcomePage {
  readonly heading: Locator;
  readonly form: AccountForm;
  readonly ready: Locator;
  readonly walletAddress: Locator;
  readonly onlyThisComputer: Locator;
  /** The note that no other wallet can pay. */
  readonly notConnected: Locator;
  readonly steps: Locator;
  /** What is left until a wallet elsewhere has paid. */
  readonly stepsToPayment: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.heading = page.getByRole('heading', { name: 'Welcome to paydesk' });
    this.form = new AccountForm(page);
    this.ready = page.getByRole('heading', { name: 'Your account is ready' });
    this.walletAddress = page.getByTestId('wallet-address');
    this.onlyThisComputer = page.getByRole('alert').filter({ hasText: 'Only this computer can reach your node' });
    this.notConnected = page.getByText('Your node has no peer yet');
    this.steps = page.getByRole('region', { name: 'What to do next' }).getByRole('listitem');
    this.stepsToPayment = page.getByRole('list', { name: 'What is left' }).getByRole('listitem');
  }

  qrCodeOf(address: string): Locator {
    return this.#page.getByRole('img', { name: `QR code of ${address}` });
  }

  async goToOverview(): Promise<void> {
    await this.#page.getByRole('link', { name: 'Go to the overview' }).click();
  }
}
