// @ts-check
import { buildIfNeeded } from './build-if-needed.mjs';

// `npm run demo -- [--approve] [--exit]` plays the whole story against a fresh node. It first builds what is not built.
await buildIfNeeded();
const { runDemo } = await import('../e2e/demo/demo.ts');
process.exit(await runDemo(process.argv.slice(2)));
