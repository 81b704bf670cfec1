// @ts-check
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../build-if-needed.mjs';

// `npm run sheets` takes every screen in each language, light and dark, at a desk and on a phone, and puts the pictures
// side by side into sheets under docs/images/sheets. `npm run sheets -- de ar` takes these languages only.
const { positionals } = parseArgs({ allowPositionals: true });
await buildIfNeeded();
const { takeSheets } = await import('../../e2e/pictures/sheets.ts');
await takeSheets(positionals);
