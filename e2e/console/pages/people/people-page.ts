import { expect, type Locator, type Page } from '@playwright/test';

/** The persons who work with the console, in the settings. */
export class PeoplePage {
  readonly card: Locator;
  readonly dialog: Locator;
  /** What is shown at an address that the person's role does not open. */
  readonly notYours: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.card = page.getByRole('region', { name: 'People' });
    this.dialog = page.getByRole('dialog');
    this.notYours = page.getByRole('heading', { name: 'Not for your role' });
  }

  /** The person's line in the card. */
  line(name: string): Locator {
    return this.card.getByRole('listitem').filter({ hasText: name });
  }

  /** Invites a person. @returns the sign-in link that is shown once. */
  async invite(name: string, role: string): Promise<string> {
    await this.card.getByRole('button', { name: 'Invite a person' }).click();
    await this.dialog.getByLabel('Name').fill(name);
    await this.dialog.getByRole('radio', { name: role }).check();
    await this.dialog.getByRole('button', { name: 'Invite a person' }).click();
    return await this.takeLink();
  }

  /** Takes the sign-in link out of the dialog that shows it. */
  async takeLink(): Promise<string> {
    await expect(this.dialog).toContainText('It opens the console once');
    const secret = /#link=([\w-]{43})/.exec((await this.dialog.innerText()).replaceAll(/\s/g, ''))?.[1] ?? '';
    await this.dialog.getByRole('button', { name: 'I have it' }).click();
    await expect(this.dialog).toBeHidden();
    return `${new URL(this.#page.url()).origin}/#link=${secret}`;
  }

  async remove(name: string): Promise<void> {
    await this.card.getByRole('button', { name: `Remove ${name}` }).click();
    await this.dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  }

  async change(name: string, role: string): Promise<void> {
    await this.card.getByRole('button', { name: `Change ${name}` }).click();
    await this.dialog.getByRole('radio', { name: role }).check();
    await this.dialog.getByRole('button', { name: 'Save' }).click();
    await expect(this.dialog).toBeHidden();
  }
}
