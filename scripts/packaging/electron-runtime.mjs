// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../project.mjs';

const EXECUTABLES = new Map([
  ['darwin', 'Electron.app/Contents/MacOS/Electron'],
  ['win32', 'electron.exe'],
]);

/**
 * The path of the Electron runtime after it was downloaded. The package also exports this path, but importing the
 * package would start a download.
 */
export const electronExecutable = join(
  process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(root, 'node_modules/electron/dist'),
  EXECUTABLES.get(process.platform) ?? 'electron',
);

const isFetched = () => existsSync(electronExecutable);
const FETCH_WITHIN_MS = 5 * 60_000;

/**
 * Makes the desktop app ready to open. The npm packages do not contain its runtime, so this function downloads the
 * runtime before the first start.
 * @returns why the app cannot open here, in words that say what to do. It is undefined when the app can open.
 */
export function missingForDesktop() {
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  if (!hasDisplay) return 'There is no display (type npm start in a desktop session)';
  if (!isFetched()) {
    process.stderr.write('Fetching the Electron runtime, once.\n');
    spawnSync(process.execPath, [join(root, 'node_modules/electron/install.js')], { stdio: 'ignore', timeout: FETCH_WITHIN_MS });
  }
  return isFetched() ? undefined : 'The Electron runtime is missing and could not be fetched (try again with: npx install-electron)';
}
