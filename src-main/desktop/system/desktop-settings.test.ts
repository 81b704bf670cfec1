import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DesktopSettings } from '../../../src-shared/operator-contract/desktop.ts';
import { SettingsFile } from './desktop-settings.ts';

let profile: string;
beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'paydesk-settings-'));
});
afterEach(() => rmSync(profile, { recursive: true }));

const DEFAULTS: DesktopSettings = { closeToTray: true, startAtLogin: false, hideAmounts: 'when_locked', quietHours: null };
const CHANGED: DesktopSettings = {
  closeToTray: false,
  startAtLogin: true,
  hideAmounts: 'always',
  quietHours: { from: '22:00', until: '06:30' },
};

it('the app begins with its defaults and keeps what was changed', () => {
  const file = new SettingsFile(profile);
  expect(file.settings).toEqual(DEFAULTS);
  expect(file.change(CHANGED)).toBe(true);
  expect(file.settings).toEqual(CHANGED);
  expect(new SettingsFile(profile).settings).toEqual(CHANGED);
});

it('the app loses only the settings that cannot be read', () => {
  new SettingsFile(profile).change(CHANGED);
  const path = join(profile, 'desktop-settings.json');
  const content = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...content, hideAmounts: 'never', quietHours: { from: '99:00', until: '' } }));
  expect(new SettingsFile(profile).settings).toEqual({ ...CHANGED, hideAmounts: 'when_locked', quietHours: null });
  writeFileSync(path, '{ "closeToTray": fal');
  expect(new SettingsFile(profile).settings).toEqual(DEFAULTS);
});

it('the app keeps the old settings when they cannot be written', () => {
  const file = new SettingsFile(profile);
  mkdirSync(join(profile, 'desktop-settings.json.new', 'in the way'), { recursive: true });
  expect(file.change(CHANGED)).toBe(false);
  expect(file.settings).toEqual(DEFAULTS);
});
