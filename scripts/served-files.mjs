// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Below this many bytes a file fits into one packet anyway. */
const WORTH_IT = 1_000;

/**
 * Puts each text file of a folder beside itself as gzip and brotli make it, for the node's own server; a console that
 * is read through a tunnel comes in a quarter of the bytes.
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
