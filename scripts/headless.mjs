// @ts-check
import { buildIfNeeded } from './build-if-needed.mjs';
import { runHeadless } from './project.mjs';

// `npm run headless` builds what is not built. Then its own process becomes the node.
await buildIfNeeded();
await runHeadless();
