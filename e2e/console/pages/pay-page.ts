import type { Locator, Page } from '@playwright/test';

/** The three steps of paying. */
export class PayPage {
  readonly to: Locator;
  readonly from: Locator;
  readonly find: Locator;
  readonly amount: Locator;
  readonly note: Locator;
  readonly getPrice: Locator;
  /** The button that sends the money. */
  readonly pay: Locator;
  readonly back: Locator;
  readonly failure: Locator;
  /** The step that the screen shows. */
  readonly step: Locator;

  constructor(page: Page) {
    this.step = page.getByRole('main').getByRole('region');
    this.to = page.getByRole('textbox', { name: 'Wallet address or payment link' });
    this.from = page.getByRole('combobox', { name: 'From account' });
    this.find = page.getByRole('button', { name: 'Continue' });
    this.amount = page.getByRole('textbox', { name: /^Amount that/ });
    this.note = page.getByRole('textbox', { name: 'Note' });
    this.getPrice = page.getByRole('button', { name: 'See what it costs' });
    this.pay = page.getByRole('button', { name: /^Pay US/ });
    this.back = page.getByRole('button', { name: 'Back' });
    this.failure = page.getByRole('main').getByRole('alert');
  }

  /** A fact of the shown step, by its name. */
  fact(name: string): Locator {
    return this.step.locator(`dt:text-is("${name}") + dd`);
  }
}
