// @ts-check
import { parseArgs } from 'node:util';
import { buildIfNeeded } from './build-if-needed.mjs';
import { commandOf, runNode } from './project.mjs';

// `npm run soak`: what takes longer than the test command may. The node is killed as often as asked for while clients pay.
const { values } = parseArgs({ options: { kills: { type: 'string', default: '500' } } });
if (!/^[1-9]\d{0,5}$/.test(values.kills)) {
  console.error('--kills takes how often the node is to be killed, such as --kills 500');
  process.exit(1);
}
await buildIfNeeded();
const { code } = await runNode(commandOf('vitest'), ['run', '--config', 'e2e/vitest.config.ts', 'e2e/kill.test.ts'], {
  env: { PAYDESK_TEST_KILLS: values.kills },
});
process.exitCode = code;
