// @ts-check
import { join } from 'node:path';
import { commandOf, root, runNode, seconds } from './project.mjs';

// `npm run check` finds the faults of the code that can be found without running it.
const PARTS = [
  { name: 'lint and format', script: join(root, 'scripts/lint.mjs'), args: [] },
  { name: 'pure renders', script: commandOf('oxlint', 'oxlint'), args: ['--deny-warnings', 'src-renderer'] },
  { name: 'types', script: commandOf('typescript', 'tsc'), args: ['-b'] },
  { name: 'rules of the house', script: join(root, 'scripts/check-imports.mjs'), args: [] },
];

const results = await Promise.all(
  PARTS.map(async ({ name, script, args }) => ({ name, ...(await runNode(script, args, { quiet: true, env: { NO_COLOR: '1' } })) })),
);
for (const { name, code, output, milliseconds } of results) {
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds(milliseconds)})`);
  if (code !== 0) console.log(output.trimEnd());
}
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;
