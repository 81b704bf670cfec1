// @ts-check
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, root, runNode } from './project.mjs';

const OUTPUTS = ['out/main/desktop.js', 'out/main/headless.js', 'out/preload/index.cjs', 'out/renderer/index.html'];
const SOURCES = ['src-main', 'src-shared', 'src-renderer', 'drizzle', 'electron.vite.config.ts', 'package.json', 'package-lock.json'];

/**
 * The time of a file's last change, in milliseconds since the epoch. It is undefined when the file does not exist.
 * @param {string} path
 */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

/** The time of the last change of any file below `path`, without tests. @param {string} path @returns {number} */
function newest(path) {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
  return /\.test\.tsx?$/.test(path) ? 0 : (changedAt(path) ?? 0);
}

/** Whether everything was built after the last change of its sources. */
export function isBuilt(folder = root) {
  const built = OUTPUTS.map((path) => changedAt(join(folder, path)) ?? 0);
  return Math.min(...built) >= Math.max(...SOURCES.map((path) => newest(join(folder, path))));
}

/** Builds what is not built and says so in one line on standard error. When the build fails, it ends the process. */
export async function buildIfNeeded() {
  if (isBuilt()) return;
  process.stderr.write('Building paydesk, once for this version …\n');
  const { code, output } = await runNode(commandOf('electron-vite'), ['build'], { quiet: true });
  if (code === 0) return;
  process.stderr.write(`${output}\nThe build failed. If packages are missing, run: npm ci\n`);
  process.exit(1);
}
