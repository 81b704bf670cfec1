// @ts-check
import { buildIfNeeded } from '../build-if-needed.mjs';

// `npm run screenshots` takes the documentation's pictures of the built console again.
await buildIfNeeded();
const { takeScreenshots } = await import('../../e2e/pictures/screenshots.ts');
await takeScreenshots();
