// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** The least size in bytes of a file that is compressed. A smaller file fits into one network packet anyway. */
const WORTH_IT = 1_000;

/**
 * Writes a gzip and a brotli version beside each text file of a folder, for the node's own server. So a console that is
 * loaded through a tunnel needs a quarter of the bytes.
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
 * A plugin that compresses the assets of the build.
 * @param {string} folder
 * @returns {import('vite').Plugin}
 */
export const compressAssets = (folder) => ({
  name: 'compress-assets',
  apply: 'build',
  closeBundle: () => compressFolder(folder),
});
