// The node without a window. This file loads on any Node version, and imports everything else after it has checked the
// version. An unsupported version is reported in words, instead of by a crash in a native module.
import { join } from 'node:path';

const REQUIRED_MAJOR = 22;

if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) {
  console.error(
    `paydesk needs Node ${REQUIRED_MAJOR} or newer, this is ${process.versions.node}. Start it with "npm run headless", which brings its own.`,
  );
  process.exitCode = 1;
} else {
  const { runHeadless } = await import('./main.ts');
  process.exitCode = await runHeadless(process.argv.slice(2), join(import.meta.dirname, '../renderer'));
}
