import { expect, type Locator, type Page } from '@playwright/test';

/** How one person hands a browser over, and another one takes it. */
export class TakeOverPage {
  readonly switchPerson: Locator;
  readonly whoIsThere: Locator;
  readonly names: Locator;
  readonly dialog: Locator;
  readonly alert: Locator;
  readonly somebodyElse: Locator;
  readonly card: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.switchPerson = page.getByRole('button', { name: 'Switch person' });
    this.whoIsThere = page.getByRole('heading', { name: 'Who is there?' });
    this.names = page.getByRole('main').getByRole('list').getByRole('button');
    this.dialog = page.getByRole('dialog');
    this.alert = page.getByRole('alert');
    this.somebodyElse = page.getByRole('button', { name: 'Somebody else' });
    this.card = page.getByRole('region', { name: 'How you sign in' });
  }

  /** Sets the PIN of the person at the page, who is in the settings. */
  async setPin(pin: string): Promise<void> {
    await this.card.getByRole('button', { name: 'Set a PIN' }).click();
    await this.dialog.getByLabel('PIN of six digits').fill(pin);
    await this.dialog.getByLabel('The same PIN once more').fill(pin);
    await this.dialog.getByRole('button', { name: 'Set a PIN' }).click();
    await expect(this.dialog).toBeHidden();
    await expect(this.card).toContainText('You set your PIN');
  }

  async choose(name: string): Promise<void> {
    await this.names.filter({ hasText: name }).click();
    await expect(this.#page.getByLabel(`PIN of ${name}`)).toBeFocused();
  }

  /** Presses the keys of a PIN on the screen. */
  async press(pin: string): Promise<void> {
    for (const digit of pin) await this.#page.getByRole('button', { name: digit, exact: true }).click();
  }

  /** Types a PIN on the keyboard. */
  async type(pin: string): Promise<void> {
    await this.#page.keyboard.type(pin);
  }
}
