// @ts-check
import { buildIfNeeded } from './build-if-needed.mjs';

// `npm run two-nodes -- [--bad-line]` starts two nodes that are each other's peer, for a person to explore. It first
// builds what is not built.
await buildIfNeeded();
const { runTwoNodes } = await import('../e2e/two-nodes.ts');
process.exit(await runTwoNodes(process.argv.slice(2)));
