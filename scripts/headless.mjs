// @ts-check
import { buildIfNeeded } from './build-if-needed.mjs';
import { runHeadless } from './project.mjs';

// `npm run headless`: builds what is not built, then is the node.
await buildIfNeeded();
await runHeadless();
