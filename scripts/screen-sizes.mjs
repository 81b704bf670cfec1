// @ts-check
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * @typedef {object} Chunk
 * @property {string} fileName
 * @property {boolean} isEntry
 * @property {string | null} facade
 * @property {string[]} imports
 * @property {string[]} dynamicImports
 * @property {number} bytes
 * @property {number} zipped
 */

/**
 * The JavaScript of a screen in bytes, plain and compressed with gzip.
 * @typedef {{ screen: string, bytes: number, zipped: number }} ScreenSize
 */

const CATALOGUE = /[\\/]catalogues[\\/]([\w-]+)[\\/]([\w-]+)\.\w+$/;
/** With the tag of a language, what the start loads of its words. */
const STARTING_WORDS = 'words of ';

/**
 * The sizes of what a browser loads before it can show anything, and of what each screen adds.
 * @param {readonly Chunk[]} chunks the files of the build
 * @param {readonly string[]} pages the names of the files that the start consists of
 * @returns {ScreenSize[]} the start first, then the screens, the largest first
 */
export function screenSizes(chunks, pages) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  /** @param {string} name @param {Map<string, Chunk>} found */
  const gather = (name, found) => {
    const chunk = byName.get(name);
    if (chunk === undefined || found.has(name)) return found;
    found.set(name, chunk);
    for (const next of chunk.imports) gather(next, found);
    return found;
  };
  /** @param {string} screen @param {Iterable<Chunk>} files @returns {ScreenSize} */
  const sizeOf = (screen, files) => {
    const all = [...files];
    const sum = (/** @type {'bytes' | 'zipped'} */ what) => all.reduce((total, chunk) => total + chunk[what], 0);
    return { screen, bytes: sum('bytes'), zipped: sum('zipped') };
  };
  /** @type {Map<string, Chunk>} */
  const start = new Map();
  for (const page of pages) {
    const entry = chunks.find(({ isEntry, facade }) => isEntry && facade !== null && basename(facade) === page);
    if (entry === undefined) throw new Error(`nothing was built from ${page}`);
    gather(entry.fileName, start);
  }
  const later = [...new Set([...start.values()].flatMap(({ dynamicImports }) => dynamicImports))].filter((name) => !start.has(name));
  const screens = later.flatMap((name) => {
    const facade = byName.get(name)?.facade ?? name;
    const [, language, catalogue] = CATALOGUE.exec(facade) ?? [];
    if (catalogue !== undefined && catalogue !== 'console') return [];
    const added = [...gather(name, new Map())].filter(([file]) => !start.has(file)).map(([, chunk]) => chunk);
    return [sizeOf(language === undefined ? basename(facade).replace(/(-page)?\.[a-z]+$/, '') : `${STARTING_WORDS}${language}`, added)];
  });
  return [sizeOf('start', start.values()), ...screens.sort((a, b) => b.bytes - a.bytes)];
}

const kB = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);

/**
 * Prints the size of each screen of the console after the build, and stores the sizes in a file for `npm run bench`.
 * @param {{ pages: readonly string[], file: string }} where
 * @returns {import('vite').Plugin}
 */
export const reportScreenSizes = ({ pages, file }) => ({
  name: 'report-screen-sizes',
  apply: 'build',
  writeBundle(_options, bundle) {
    const chunks = Object.values(bundle).flatMap((output) => {
      if (output.type !== 'chunk') return [];
      const { fileName, isEntry, facadeModuleId: facade, imports, dynamicImports, code } = output;
      return [{ fileName, isEntry, facade, imports, dynamicImports, bytes: Buffer.byteLength(code), zipped: gzipSync(code).length }];
    });
    const sizes = screenSizes(chunks, pages);
    writeFileSync(file, JSON.stringify(sizes));
    const lines = sizes.map(
      ({ screen, bytes, zipped }, index) => `${index === 0 ? ' ' : '+'} ${screen.padEnd(16)}${kB(bytes)}${kB(zipped)}`,
    );
    console.log(['JavaScript of the console, and with gzip: the start, and what each screen adds to it', ...lines].join('\n'));
  },
});

/**
 * Lets the page fetch the console while it still loads the words of the reader's language, which come first.
 * @param {string} name the module that starts the console
 * @returns {import('vite').Plugin}
 */
export const preloadStart = (name) => ({
  name: 'preload-start',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle, path }) {
      const chunks = Object.values(bundle ?? {}).filter((output) => output.type === 'chunk');
      const start = chunks.find(({ facadeModuleId }) => facadeModuleId !== null && basename(facadeModuleId) === name);
      if (start === undefined || !path.endsWith('index.html')) return [];
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const files = new Set([start.fileName]);
      // A set is walked to its end, with what is added meanwhile.
      for (const file of files) for (const next of byName.get(file)?.imports ?? []) files.add(next);
      return [...files].map((file) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
        injectTo: 'head',
      }));
    },
  },
});
