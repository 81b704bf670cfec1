import type { Locator, Page } from '@playwright/test';

/** Restoring from a backup, from choosing the file to what has changed afterwards. */
export class RestorePage {
  readonly heading: Locator;
  readonly file: Locator;
  readonly passphrase: Locator;
  readonly open: Locator;
  readonly problem: Locator;
  readonly content: Locator;
  readonly consequences: Locator;
  readonly word: Locator;
  readonly lockPassphrase: Locator;
  readonly start: Locator;
  readonly done: Locator;
  readonly keptAside: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.heading = page.getByRole('heading', { name: 'Restore from a backup', level: 1 });
    this.file = page.locator('input[type=file]');
    this.passphrase = page.getByLabel('Passphrase of the backup').and(page.locator('input'));
    this.open = page.getByRole('button', { name: 'Open the backup' });
    this.problem = page.locator('form [role=alert]:not([data-notice])');
    this.content = page.getByRole('region', { name: 'What is in it' });
    this.consequences = page.getByRole('region', { name: 'What happens now' });
    this.word = page.getByLabel('Type “restore” to confirm');
    this.lockPassphrase = page.getByLabel('Passphrase of this console').and(page.locator('input'));
    this.start = page.getByRole('button', { name: 'Put the backup in place' });
    this.done = page.getByRole('heading', { name: 'The backup is in place' });
    this.keptAside = page.getByRole('region', { name: 'What was here before' }).locator('pre');
  }

  async choose(file: string, passphrase: string): Promise<void> {
    await this.file.setInputFiles(file);
    await this.passphrase.fill(passphrase);
    await this.open.click();
  }

  async confirm(word = 'restore'): Promise<void> {
    await this.word.fill(word);
    await this.start.click();
  }

  async goToOverview(): Promise<void> {
    await this.#page.getByRole('link', { name: 'Go to the overview' }).click();
  }
}
