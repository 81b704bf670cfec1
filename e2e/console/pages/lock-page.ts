import type { Locator, Page } from '@playwright/test';

/** The card in the settings that sets the passphrase, and the screen of a locked console. */
export class LockPage {
  readonly heading: Locator;
  readonly passphrase: Locator;
  readonly unlockButton: Locator;
  readonly lockButton: Locator;
  readonly card: Locator;
  /** The command that takes the passphrase away. */
  readonly removal: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.heading = page.getByRole('heading', { name: 'Locked' });
    this.passphrase = page.getByRole('textbox', { name: 'Passphrase', exact: true });
    this.unlockButton = page.getByRole('button', { name: 'Unlock' });
    this.lockButton = page.getByRole('button', { name: 'Lock', exact: true });
    this.removal = page.getByText('npm run -s headless -- remove-lock');
    this.card = page.getByRole('region', { name: 'Lock', exact: true });
  }

  /** Sets the first passphrase on the settings screen. */
  async protect(passphrase: string, idle?: string): Promise<void> {
    await this.card.getByRole('button', { name: 'Set a passphrase' }).click();
    const dialog = this.#page.getByRole('dialog');
    await dialog.getByLabel('New passphrase').fill(passphrase);
    await dialog.getByLabel('The same once more').fill(passphrase);
    if (idle !== undefined) {
      await dialog.getByRole('combobox', { name: 'Lock when nobody uses it for' }).click();
      await this.#page.getByRole('option', { name: idle, exact: true }).click();
    }
    await dialog.getByRole('button', { name: 'Set a passphrase' }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  async unlock(passphrase: string): Promise<void> {
    await this.passphrase.fill(passphrase);
    await this.unlockButton.click();
  }
}
