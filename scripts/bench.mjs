// @ts-check
import { join } from 'node:path';
import { buildIfNeeded } from './build-if-needed.mjs';
import { root, runNode } from './project.mjs';

// `npm run bench [-- parts]` measures how fast the built node is on this machine.
await buildIfNeeded();
const { code } = await runNode(join(root, 'bench/bench.ts'), process.argv.slice(2));
process.exitCode = code;
