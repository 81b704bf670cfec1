import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      rolldownOptions: {
        input: { desktop: resolve('src-main/desktop/main.ts'), headless: resolve('src-main/headless.ts') },
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
    // Routes have real URLs, so assets are named from the root: by default they would be looked for beside the route.
    base: '/',
    plugins: [react()],
    build: { outDir: 'out/renderer', minify: true, rolldownOptions: { input: resolve('src-renderer/index.html') } },
  },
});
