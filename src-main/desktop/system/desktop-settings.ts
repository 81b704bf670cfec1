import { join } from 'node:path';
import { DesktopSettings } from '../../../src-shared/operator-contract/desktop.ts';
import { z } from '../../../src-shared/zod.ts';
import { readProfileFile, writeProfileFile } from './profile-file.ts';

/** Each setting is read by itself: when one cannot be read, the others still count. */
const Stored = z.object({
  closeToTray: DesktopSettings.shape.closeToTray.catch(true),
  startAtLogin: DesktopSettings.shape.startAtLogin.catch(false),
  hideAmounts: DesktopSettings.shape.hideAmounts.catch('when_locked'),
  quietHours: DesktopSettings.shape.quietHours.catch(null),
});

/** The settings of the desktop app, kept in a file of its profile. */
export class SettingsFile {
  readonly #path: string;
  #settings: DesktopSettings;

  constructor(profile: string) {
    this.#path = join(profile, 'desktop-settings.json');
    this.#settings = readProfileFile(this.#path, Stored) ?? Stored.parse({});
  }

  get settings(): DesktopSettings {
    return this.#settings;
  }

  /** @returns false when the settings could not be written; the old ones still count then */
  change(settings: DesktopSettings): boolean {
    if (!writeProfileFile(this.#path, settings)) return false;
    this.#settings = settings;
    return true;
  }
}
