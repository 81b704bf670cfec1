// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Below this many bytes a file fits into one packet anyway. */
const WORTH_IT = 1_000;

/**
 * Moves the links to style sheets behind what the page paints at once, which has its styles with it: a browser paints nothing that stands after a style sheet it
 * waits for. Scripts still wait for them.
 * @param {string} html
 * @returns {string}
 */
export function stylesLast(html) {
  const links = html.match(/[ \t]*<link rel="stylesheet"[^>]*>\n?/g) ?? [];
  const without = links.reduce((rest, link) => rest.replace(link, ''), html);
  return without.replace(/(?=[ \t]*<\/body>)/, () => links.map((link) => `${link.trimEnd()}\n`).join(''));
}

/**
 * The same for one page of the build.
 * @param {string} page the file name of its HTML
 * @returns {import('vite').Plugin}
 */
export const paintFirst = (page) => ({
  name: 'paint-first',
  apply: 'build',
  transformIndexHtml: { order: 'post', handler: (html, { path }) => (path.endsWith(`/${page}`) ? stylesLast(html) : html) },
});

/**
 * Puts each text file of a folder beside itself as gzip and brotli make it, for the node's own server; a console that is read through a tunnel comes in a quarter of
 * the bytes.
 * @param {string} folder
 */
export function compressFolder(folder) {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    if (bytes.length < WORTH_IT) continue;
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  }
}

/**
 * The same for the assets of the build.
 * @param {string} folder
 * @returns {import('vite').Plugin}
 */
export const compressAssets = (folder) => ({
  name: 'compress-assets',
  apply: 'build',
  closeBundle: () => compressFolder(folder),
});
