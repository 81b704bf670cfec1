// @ts-check
import { parseArgs } from 'node:util';
import { buildIfNeeded } from './build-if-needed.mjs';
import { commandOf, runNode } from './project.mjs';

// `npm run soak`: what takes longer than the test command may. A node by itself, and two that pay each other across a bad line, are
// killed as often as asked for while clients pay; two nodes pay each other as often as asked for; and connections flood in for as many seconds.
const text = /** @type {const} */ ('string');
const { values } = parseArgs({
  options: { kills: { type: text, default: '500' }, payments: { type: text, default: '1000' }, flood: { type: text, default: '60' } },
});
for (const [name, value] of Object.entries(values)) {
  if (/^[1-9]\d{0,5}$/.test(value)) continue;
  console.error(`--${name} takes a number, such as --${name} 500`);
  process.exit(1);
}
await buildIfNeeded();
const files = ['e2e/kill.test.ts', 'e2e/two-nodes-kill.test.ts', 'e2e/two-nodes.test.ts', 'e2e/flood.test.ts'];
const { code } = await runNode(commandOf('vitest'), ['run', '--config', 'e2e/vitest.config.ts', ...files], {
  env: { PAYDESK_TEST_KILLS: values.kills, PAYDESK_TEST_PAYMENTS: values.payments, PAYDESK_TEST_FLOOD_SECONDS: values.flood },
});
process.exitCode = code;
