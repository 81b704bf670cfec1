// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { ensureBrowser } from './browser.mjs';
import { root } from './project.mjs';

// `node scripts/icon.mjs`: draws packaging/icon.png from packaging/icon.svg, in the size every system makes its own icons of.
const SIZE = 1024;
const folder = join(root, 'packaging');
const svg = readFileSync(join(folder, 'icon.svg'), 'utf8');
const browser = await chromium.launch(await ensureBrowser());
const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
await page.setContent(`<style>body { margin: 0 } svg { display: block; width: ${SIZE}px; height: ${SIZE}px }</style>${svg}`);
writeFileSync(join(folder, 'icon.png'), await page.screenshot({ omitBackground: true }));
await browser.close();
