import { registerHooks } from 'node:module';

// Makes `electron` mean the stand-in, in the app's scripts and in Playwright's.
const url = new URL('./electron.mjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main' ? { url, format: 'module', shortCircuit: true } : next(specifier, context),
});
