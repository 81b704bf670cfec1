// @ts-check
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { buildIfNeeded } from '../build-if-needed.mjs';
import { commandOf, root, runNode } from '../project.mjs';
import { electronExecutable } from './electron-runtime.mjs';
import { writeSbom } from './sbom.mjs';

// `npm run package -- [electron-builder's arguments]` packages the desktop app for this operating system into dist/.
// With `--dir` it makes no installer and downloads nothing.
const args = process.argv.slice(2);
const ownSystem = !args.some((arg) => /^(--mac|-m|-o|--macos|--win|-w|--windows|--linux|-l)$/.test(arg));
const runtimeGiven = args.some((arg) => /^(-c|--config)\.electronDist/.test(arg));

if (ownSystem && !runtimeGiven && !existsSync(electronExecutable)) {
  process.stderr.write(
    [
      `The Electron runtime is missing: there is no ${electronExecutable}.`,
      'Fetch it with: npx install-electron',
      'Or name a folder that holds one, unpacked: ELECTRON_OVERRIDE_DIST_PATH=/path/to/electron npm run package',
      '',
    ].join('\n'),
  );
  process.exit(1);
}
await buildIfNeeded();
// The runtime on this machine is for its own operating system. electron-builder downloads the runtime of another one.
const runtime = ownSystem && !runtimeGiven ? [`-c.electronDist=${runtimeFolder()}`] : [];
const { code } = await runNode(commandOf('electron-builder'), ['--publish', 'never', ...runtime, ...args]);
if (code === 0) await writeSbom(outputFolder());
process.exitCode = code;

/** The folder into which electron-builder writes the packages. */
function outputFolder() {
  const given = args.map((arg) => /^(?:-c|--config)\.directories\.output=(.+)$/.exec(arg)?.[1]).findLast((folder) => folder !== undefined);
  return resolve(root, given ?? 'dist');
}

/** The folder of the unpacked runtime. On macOS it is the folder that holds the app. */
function runtimeFolder() {
  return process.platform === 'darwin' ? electronExecutable.replace(/\/Electron\.app\/.*$/, '') : dirname(electronExecutable);
}
