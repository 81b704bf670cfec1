import type { Locator, Page } from '@playwright/test';

export interface NewAccount {
  publicName: string;
  /** The last part of the wallet address; left as suggested when undefined. */
  addressName?: string;
  /** The currency's code in the ISO 4217 list. */
  currency: string;
  /** As a person types it, such as `12.50`. */
  openingBalance: string;
}

/** The first run of the console. */
export class WelcomePage {
  readonly heading: Locator;
  readonly ready: Locator;
  readonly walletAddress: Locator;
  readonly onlyThisComputer: Locator;
  readonly addressPreview: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.heading = page.getByRole('heading', { name: 'Welcome to paydesk' });
    this.ready = page.getByRole('heading', { name: 'You can be paid' });
    this.walletAddress = page.getByTestId('wallet-address');
    this.onlyThisComputer = page.getByRole('alert').filter({ hasText: 'Only this computer can reach this address' });
    this.addressPreview = page.getByTestId('address-preview');
  }

  async fill({ publicName, addressName, currency, openingBalance }: NewAccount): Promise<void> {
    await this.#page.getByLabel('Name shown to payers').fill(publicName);
    if (addressName !== undefined) await this.#page.getByLabel('Wallet address name').fill(addressName);
    await this.#page.getByRole('combobox', { name: 'Currency' }).fill(currency);
    await this.#page.getByRole('option', { name: new RegExp(`^${currency} `) }).click();
    await this.#page.getByLabel('Opening balance').fill(openingBalance);
  }

  async create(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Create account and wallet address' }).click();
  }

  qrCodeOf(address: string): Locator {
    return this.#page.getByRole('img', { name: `QR code of ${address}` });
  }

  async goToOverview(): Promise<void> {
    await this.#page.getByRole('link', { name: 'Go to the overview' }).click();
  }
}
