// @ts-check
import { buildIfNeeded } from './build-if-needed.mjs';

// `npm run two-nodes -- [--bad-line]`: two nodes that are each other's peer, to look around in, building first what is
// not built.
await buildIfNeeded();
const { runTwoNodes } = await import('../e2e/two-nodes.ts');
process.exit(await runTwoNodes(process.argv.slice(2)));
