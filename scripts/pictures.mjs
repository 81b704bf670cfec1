// @ts-check
import { buildIfNeeded } from './build-if-needed.mjs';

// `npm run pictures`: takes the pictures of the documentation anew, from the built console.
await buildIfNeeded();
const { takePictures } = await import('../e2e/pictures/pictures.ts');
await takePictures();
