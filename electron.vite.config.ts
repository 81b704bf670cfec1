import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { reportScreenSizes } from './scripts/screen-sizes.mjs';

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
          headless: resolve('src-main/headless.ts'),
          'backup-worker': resolve('src-main/backup/worker.ts'),
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
    ],
    build: {
      outDir: 'out/renderer',
      minify: true,
      rolldownOptions: {
        input: { index: resolve('src-renderer/index.html'), passphrase: resolve('src-renderer/passphrase.html') },
        // Left to itself the bundler puts what only lists to choose from need together with a small file that everything needs.
        output: {
          codeSplitting: {
            groups: [
              { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 },
              { name: 'floating-ui', test: /[\\/]@floating-ui[\\/]/, priority: 1 },
            ],
          },
        },
      },
    },
  },
});
