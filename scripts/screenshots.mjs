// @ts-check
import { buildIfNeeded } from './build-if-needed.mjs';

// `npm run screenshots`: takes the pictures of the documentation anew, from the built console.
await buildIfNeeded();
const { takeScreenshots } = await import('../e2e/pictures/screenshots.ts');
await takeScreenshots();
