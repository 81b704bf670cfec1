import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { reportScreenSizes } from './scripts/screen-sizes.mjs';
import { compressAssets } from './scripts/served-files.mjs';

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      // Bundled, because Node reads the whole package.json of a package (here 180 kB of exports) for each of its modules: loading
      // drizzle-orm file by file took half of the node's start and of its memory.
      externalizeDeps: { exclude: ['drizzle-orm'] },
      rolldownOptions: {
        input: {
          desktop: resolve('src-main/desktop/main.ts'),
          headless: resolve('src-main/headless/entry.ts'),
          'backup-worker': resolve('src-main/backup/worker.ts'),
          'signature-worker': resolve('src-main/access/http-signatures/worker.ts'),
        },
        output: { format: 'es' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload script may only require `electron`: everything else is bundled into it.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve('src-main/desktop/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    // Routes have real URLs, so assets are named from the root. The build tool sets a relative base on purpose (pages opened as
    // files), and only a plugin comes after it.
    plugins: [
      react(),
      { name: 'assets-from-the-root', config: () => ({ base: '/' }) },
      reportScreenSizes({ page: 'index.html', file: resolve('out/screen-sizes.json') }),
      compressAssets(resolve('out/renderer/assets')),
    ],
    build: {
      outDir: 'out/renderer',
      minify: true,
      rolldownOptions: {
        // A constant that both pages share becomes part of each of them, so that the second page needs no file of the first.
        optimization: { inlineConst: true },
        input: { index: resolve('src-renderer/index.html'), passphrase: resolve('src-renderer/passphrase.html') },
        // A browser asks this node for each file with a request of its own, so there are few: what the console starts with, what nearly every screen
        // has, what several have (forms, lists to choose from), and each screen. The window that asks for the passphrase has nothing of it.
        output: {
          codeSplitting: {
            groups: [
              { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 5 },
              { name: 'libraries', test: /[\\/]node_modules[\\/]/, tags: ['$initial'], priority: 4 },
              {
                name: 'console',
                test: /[\\/]src-(renderer|shared)[\\/](?!passphrase|words[\\/]desktop)/,
                tags: ['$initial'],
                priority: 3,
              },
              { name: 'shared', minShareCount: 8, priority: 2 },
              { name: 'forms', minShareCount: 2, priority: 1 },
            ],
          },
        },
      },
    },
  },
});
