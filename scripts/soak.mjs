// @ts-check
import { parseArgs } from 'node:util';
import { buildIfNeeded } from './build-if-needed.mjs';
import { commandOf, runNode } from './project.mjs';

// `npm run soak` runs tests that take too long for `npm test`. The options say how often or how long each one runs:
// - it kills a single node, and two nodes that pay each other across a bad line, while clients pay;
// - two nodes pay each other;
// - it makes backups under load and restores them;
// - it floods a node with connections, for a number of seconds;
// - it sends odd calls of each operation across the bridge to the window.
const text = /** @type {const} */ ('string');
const { values } = parseArgs({
  options: {
    kills: { type: text, default: '500' },
    payments: { type: text, default: '1000' },
    backups: { type: text, default: '100' },
    flood: { type: text, default: '60' },
    calls: { type: text, default: '1000' },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (/^[1-9]\d{0,5}$/.test(value)) continue;
  console.error(`--${name} takes a number, such as --${name} 500`);
  process.exit(1);
}
const bridge = await runNode(commandOf('vitest'), ['run', 'src-main/operator-api/bridge-fuzz.test.ts'], {
  // Each run makes other calls. A failure names the seed that repeats them.
  env: { PAYDESK_FUZZED_CALLS: values.calls, PAYDESK_TEST_SEED: String(Date.now() % 2 ** 31) },
});
await buildIfNeeded();
const files = ['kill', 'two-nodes-kill', 'two-nodes', 'backups-under-load', 'flood'].map((name) => `e2e/node/${name}.test.ts`);
const outside = await runNode(commandOf('vitest'), ['run', '--config', 'e2e/vitest.config.ts', ...files], {
  env: {
    PAYDESK_TEST_KILLS: values.kills,
    PAYDESK_TEST_PAYMENTS: values.payments,
    PAYDESK_TEST_BACKUPS: values.backups,
    PAYDESK_TEST_FLOOD_SECONDS: values.flood,
  },
});
process.exitCode = bridge.code || outside.code;
