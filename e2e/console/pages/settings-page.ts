import type { Locator, Page } from '@playwright/test';

/** The settings: backups, the node's configuration, and formats. */
export class SettingsPage {
  readonly backups: Locator;
  readonly browsers: Locator;
  readonly restore: Locator;
  readonly node: Locator;
  readonly display: Locator;
  readonly timeZone: Locator;
  readonly dialog: Locator;
  readonly folder: Locator;
  readonly passphrase: Locator;
  readonly again: Locator;

  constructor(page: Page) {
    this.backups = page.getByRole('region', { name: 'Backups' });
    this.browsers = page.getByRole('region', { name: 'Browsers' });
    this.restore = page.getByRole('region', { name: 'Get back what is in a backup' });
    this.node = page.getByRole('region', { name: 'This node' });
    this.display = page.getByRole('region', { name: 'Language, time and theme' });
    this.timeZone = page.getByRole('combobox', { name: 'Time zone of the shop' });
    this.dialog = page.getByRole('dialog');
    this.folder = this.dialog.getByRole('textbox', { name: 'Folder' });
    this.passphrase = this.dialog.getByLabel('Passphrase', { exact: false }).and(this.dialog.locator('input'));
    this.again = this.dialog.getByLabel('The same once more').and(this.dialog.locator('input'));
  }

  async press(name: string): Promise<void> {
    await this.backups.getByRole('button', { name, exact: true }).click();
  }

  async confirm(name: string): Promise<void> {
    await this.dialog.getByRole('button', { name, exact: true }).click();
  }
}
