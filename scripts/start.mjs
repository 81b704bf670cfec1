// @ts-check
import { spawn } from 'node:child_process';
import { buildIfNeeded } from './build-if-needed.mjs';
import { electronExecutable, missingForDesktop } from './packaging/electron-runtime.mjs';
import { endWithShell, root, runHeadless } from './project.mjs';

// `npm start` opens the desktop app. Where the app cannot open, it starts the headless node with the same flags.
await buildIfNeeded();
const missing = missingForDesktop();
if (missing === undefined) {
  endWithShell();
  const child = spawn(electronExecutable, [root, '--', ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) process.on(signal, () => child.kill(signal));
  child.on('close', (code) => process.exit(code ?? 1));
} else {
  process.stderr.write(`${missing}; starting the headless node instead.\n`);
  await runHeadless();
}
