// @ts-check
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, root, runNode } from './project.mjs';

const OUTPUTS = ['out/main/desktop.js', 'out/main/headless.js', 'out/preload/index.cjs', 'out/renderer/index.html'];
const SOURCES = ['src-main', 'src-shared', 'src-renderer', 'drizzle', 'electron.vite.config.ts', 'package.json', 'package-lock.json'];

/**
 * When a file was last changed, in milliseconds since the epoch; undefined when it is not there.
 * @param {string} path
 */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

/** When the newest file below `path` was changed; tests do not count. @param {string} path @returns {number} */
function newest(path) {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
  return /\.test\.tsx?$/.test(path) ? 0 : (changedAt(path) ?? 0);
}

/** Whether everything is built, later than the last change of its sources. */
export function isBuilt(folder = root) {
  const built = OUTPUTS.map((path) => changedAt(join(folder, path)) ?? 0);
  return Math.min(...built) >= Math.max(...SOURCES.map((path) => newest(join(folder, path))));
}

/** Builds what is not built and says so in one line on standard error. It ends the process when the build fails. */
export async function buildIfNeeded() {
  if (isBuilt()) return;
  process.stderr.write('Building paydesk, once for this version …\n');
  const { code, output } = await runNode(commandOf('electron-vite'), ['build'], { quiet: true });
  if (code === 0) return;
  process.stderr.write(`${output}\nThe build failed. If packages are missing, run: npm ci\n`);
  process.exit(1);
}
