import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { partOf } from './scripts/generating/generate-message-types.mjs';
import { preloadStart, reportScreenSizes } from './scripts/screen-sizes.mjs';
import { compressAssets } from './scripts/served-files.mjs';

const CATALOGUE = /[\\/]catalogues[\\/]([\w-]+)[\\/]([\w-]+)\.(?:json|ts)$/;

/** The file for a catalogue of the console: what it has from its start, or what comes with its screens. */
function catalogueName(id: string): string | null {
  const [, tag, name = ''] = CATALOGUE.exec(id) ?? [];
  const part = partOf(name);
  if (part !== undefined) return `words-${tag}-${part}`;
  return name.startsWith('console') || name === 'common' ? `words-${tag}` : null;
}

/**
 * Gives the address at which a page finds a built file. The page of paired tills and its files are below `/till/`, so
 * files name each other by where they are themselves.
 */
function addressOfFile(file: string, { hostId, hostType, type }: { hostId: string; hostType: 'js' | 'css' | 'html'; type: string }) {
  if (hostType !== 'html') return { relative: true };
  return hostId.endsWith('till.html') && type === 'asset' ? `/till/${file}` : `/${file}`;
}

/** The licence of the font in receipts wants to go with every copy of it. */
const fontLicence = {
  name: 'font-licence',
  generateBundle(this: { emitFile: (file: { type: 'asset'; fileName: string; source: string }) => void }) {
    const fileName = 'FONT-LICENSE.txt';
    this.emitFile({ type: 'asset', fileName, source: readFileSync(resolve('src-main/receipts/pdf', fileName), 'utf8') });
  },
};

export default defineConfig({
  main: {
    plugins: [fontLicence],
    build: {
      outDir: 'out/main',
      // These packages are bundled. Node looks for the package.json of each file that it loads, and reads it whole, so
      // loading them file by file made the start slower by half. Those of oRPC share the classes by which they know
      // errors of a stream, so none of them stays outside.
      externalizeDeps: {
        exclude: [
          ...['@orpc/client', '@orpc/contract', '@orpc/json-schema', '@orpc/openapi', '@orpc/server', '@orpc/zod'],
          ...['age-encryption', 'drizzle-orm', 'intl-messageformat', 'jose', 'structured-headers', 'uqr', 'zod'],
        ],
      },
      rolldownOptions: {
        input: {
          desktop: resolve('src-main/desktop/main.ts'),
          headless: resolve('src-main/headless/entry.ts'),
          'audit-worker': resolve('src-main/audit/worker.ts'),
          'backup-worker': resolve('src-main/backup/worker.ts'),
          'read-worker': resolve('src-main/platform/database/threads/read-worker.ts'),
          'archive-worker': resolve('src-main/platform/archive/archive-worker.ts'),
          'disk-worker': resolve('src-main/platform/database/threads/disk-worker.ts'),
          'signature-worker': resolve('src-main/access/http-signatures/worker.ts'),
        },
        output: { format: 'es' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload script may only require `electron`, so everything else is bundled into it.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve('src-main/desktop/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    // Routes have real URLs, so a page names its assets from the root. electron-vite sets a relative base for pages
    // that are opened as files, and only a plugin can change that base afterwards.
    plugins: [
      react(),
      preloadStart('start.tsx'),
      { name: 'assets-from-the-root', config: () => ({ base: '/', experimental: { renderBuiltUrl: addressOfFile } }) },
      reportScreenSizes({ pages: ['index.html', 'start.tsx'], file: resolve('out/screen-sizes.json') }),
      compressAssets(resolve('out/renderer/assets')),
    ],
    build: {
      outDir: 'out/renderer',
      minify: true,
      rolldownOptions: {
        // A constant that both pages share becomes part of each of them, so that the second page needs no file of the
        // first.
        optimization: { inlineConst: true },
        input: {
          index: resolve('src-renderer/index.html'),
          customer: resolve('src-renderer/customer.html'),
          passphrase: resolve('src-renderer/passphrase.html'),
          paired: resolve('src-renderer/till.html'),
          start: resolve('src-renderer/start.tsx'),
        },
        // A browser fetches each file with a separate request, so there are few files. The start has its own files,
        // what several screens share (such as forms and lists to choose from) has files of its own, and each screen has
        // one file. The passphrase window loads none of them.
        output: {
          codeSplitting: {
            groups: [
              // What loads files on demand lies in no language's file, which would come with the start then.
              { name: 'loading', test: /preload-helper/, priority: 9 },
              // The words of a language are files of their own, which only its readers fetch: one before the console,
              // and one for each part that comes with screens.
              { name: catalogueName, test: CATALOGUE, priority: 8 },
              { name: (id) => `words-${CATALOGUE.exec(id)?.[1]}-other`, test: CATALOGUE, priority: 7 },
              // What loads the words runs before the modules that read them, so it has a file of its own.
              {
                name: 'language',
                test: /[\\/](@formatjs|intl-messageformat|language|catalogues)[\\/]/,
                priority: 6,
              },
              { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 5 },
              { name: 'libraries', test: /[\\/]node_modules[\\/]/, tags: ['$initial'], priority: 4 },
              // What the customer's screen shares with the console. That page loads nothing else of the console, whose
              // modules would join its session.
              { name: 'shown', test: /[\\/]till[\\/]customer[\\/]customer-screen\.tsx/, priority: 4 },
              {
                name: 'console',
                test: /[\\/]src-(renderer|shared)[\\/](?!passphrase|(main|start)\.tsx|till[\\/](paired|customer)|(index|till|customer)\.html|words[\\/]desktop)/,
                tags: ['$initial'],
                priority: 3,
              },
              // Words of a part are not there yet when such a file is loaded with the first screen. So its modules name
              // an area when they are loaded, and read what is in it later.
              { name: 'shared', minShareCount: 8, priority: 2 },
              { name: 'forms', minShareCount: 2, priority: 1 },
            ],
          },
        },
      },
    },
  },
});
