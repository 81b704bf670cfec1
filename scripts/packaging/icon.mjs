// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { ensureBrowser } from '../browser.mjs';
import { root } from '../project.mjs';

// `node scripts/packaging/icon.mjs` draws packaging/icon.svg in the sizes that the operating systems need, and writes
// the pictures into the file formats that they need. Otherwise electron-builder would download a program to do so.
const folder = join(root, 'packaging');
const svg = readFileSync(join(folder, 'icon.svg'), 'utf8');
const browser = await chromium.launch(await ensureBrowser());
const page = await browser.newPage();

/** @param {number} size in pixels @returns {Promise<Buffer>} */
async function draw(size) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${svg}`);
  return await page.screenshot({ omitBackground: true });
}

/** Makes an Apple icon: a type, a length and a PNG for each size. @param {[type: string, png: Buffer][]} pictures */
function icns(pictures) {
  const parts = pictures.map(([type, png]) => Buffer.concat([Buffer.from(type), uint32(png.length + 8), png]));
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from('icns'), uint32(body.length + 8), body]);
}

/** Makes a Windows icon: a directory, then the PNGs. @param {[size: number, png: Buffer][]} pictures */
function ico(pictures) {
  let offset = 6 + 16 * pictures.length;
  const entries = pictures.map(([size, png]) => {
    const entry = Buffer.alloc(16);
    // The format writes the size 256 as 0.
    entry.writeUInt8(size % 256, 0);
    entry.writeUInt8(size % 256, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  const head = Buffer.from([0, 0, 1, 0, pictures.length, 0]);
  return Buffer.concat([head, ...entries, ...pictures.map(([, png]) => png)]);
}

/** @param {number} value */
function uint32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const [small, medium, large, larger, largest] = [await draw(32), await draw(128), await draw(256), await draw(512), await draw(1024)];
writeFileSync(join(folder, 'icon.png'), largest);
writeFileSync(
  join(folder, 'icon.icns'),
  icns([
    ['ic07', medium],
    ['ic08', large],
    ['ic09', larger],
    ['ic10', largest],
  ]),
);
writeFileSync(
  join(folder, 'icon.ico'),
  ico([
    [32, small],
    [128, medium],
    [256, large],
  ]),
);
await browser.close();
