// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

const EXECUTABLES = new Map([
  ['darwin', 'Electron.app/Contents/MacOS/Electron'],
  ['win32', 'electron.exe'],
]);

/** Where the Electron runtime is, once it was fetched. Importing the package to learn that would start a download instead. */
export const electronExecutable = join(
  process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(root, 'node_modules/electron/dist'),
  EXECUTABLES.get(process.platform) ?? 'electron',
);

/** Why the desktop app cannot open here, in words that say what to do; undefined when it can. */
export function missingForDesktop() {
  if (!existsSync(electronExecutable)) return 'The Electron runtime is missing (get it with: npx install-electron)';
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  return hasDisplay ? undefined : 'There is no display (type npm start in a desktop session)';
}
