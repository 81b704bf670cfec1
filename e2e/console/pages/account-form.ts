import type { Locator, Page } from '@playwright/test';
import { chooseByTyping } from '../../support/pages/choosing.ts';

interface NewAccount {
  publicName: string;
  /** The last part of the wallet address. When it is undefined, the suggestion stays. */
  addressName?: string;
  /** The currency's code in the ISO 4217 list. */
  currency: string;
  /** The balance as a person types it, such as `12.50`. */
  openingBalance: string;
}

/** The form that makes an account. */
export class AccountForm {
  readonly addressPreview: Locator;
  readonly openingBalance: Locator;
  readonly create: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.addressPreview = page.getByTestId('address-preview');
    this.openingBalance = page.getByLabel('Opening balance');
    this.create = page.getByRole('button', { name: /^Create account/ });
  }

  async fill({ publicName, addressName, currency, openingBalance }: NewAccount): Promise<void> {
    await this.#page.getByLabel('Name shown to payers').fill(publicName);
    if (addressName !== undefined) await this.#page.getByLabel('Wallet address name').fill(addressName);
    await chooseByTyping(this.#page.getByRole('combobox', { name: 'Currency' }), currency);
    await this.openingBalance.fill(openingBalance);
  }
}
