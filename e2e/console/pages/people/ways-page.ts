import { expect, type Locator, type Page } from '@playwright/test';

/** How the person at the page signs in: the card in the settings, and the screens that ask for it. */
export class WaysPage {
  readonly card: Locator;
  readonly dialog: Locator;
  readonly signInHeading: Locator;
  readonly withPasskey: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.card = page.getByRole('region', { name: 'How you sign in' });
    this.dialog = page.getByRole('dialog');
    this.signInHeading = page.getByRole('heading', { name: 'Sign in', exact: true });
    this.withPasskey = page.getByRole('button', { name: 'Sign in with a passkey' });
  }

  async addPasskey(name: string): Promise<void> {
    await this.card.getByRole('button', { name: 'Add a passkey' }).click();
    await this.dialog.getByLabel('Name of the device').fill(name);
    await this.dialog.getByRole('button', { name: 'Make the passkey' }).click();
    await expect(this.dialog).toBeHidden();
    await expect(this.card.getByRole('listitem').filter({ hasText: name })).toBeVisible();
  }

  async removePasskey(name: string): Promise<void> {
    await this.card.getByRole('button', { name: `Remove the passkey ${name}` }).click();
    await this.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(this.card.getByRole('listitem')).toBeHidden();
  }

  /** Signs this browser out by itself. */
  async signOut(): Promise<void> {
    await this.#page
      .getByRole('region', { name: 'Browsers' })
      .getByRole('listitem')
      .filter({ hasText: 'This one' })
      .getByRole('button', { name: /^Sign out/ })
      .click();
    await expect(this.signInHeading).toBeVisible();
  }

  /** Chooses a password on the screen or in the dialog `where`. @returns the secret for the app for codes. */
  async choosePassword(where: Locator, { signInName, password }: { signInName: string; password: string }): Promise<string> {
    await where.getByLabel('Name to sign in').fill(signInName);
    await where.getByRole('textbox', { name: 'Password' }).fill(password);
    await where.getByRole('button', { name: 'Go on' }).click();
    await expect(where.getByText('Connect an app for codes')).toBeVisible();
    return /[A-Z2-7]{32}/.exec((await where.innerText()).replaceAll(/\s/g, ''))?.[0] ?? '';
  }

  async signInWithPassword({ signInName, password, code }: { signInName: string; password: string; code: string }): Promise<void> {
    const withPassword = this.#page.getByRole('button', { name: 'Sign in with a password' });
    if (await withPassword.isVisible()) await withPassword.click();
    await this.#page.getByLabel('Name to sign in').fill(signInName);
    await this.#page.getByRole('textbox', { name: 'Password' }).fill(password);
    await this.#page.getByLabel('Code of the app, or a recovery code').fill(code);
    await this.#page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
}
