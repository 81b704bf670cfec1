import { registerHooks } from 'node:module';

// Resolves `electron` to the stand-in, for the app's scripts and for Playwright.
const url = new URL('./electron.mjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main' ? { url, format: 'module', shortCircuit: true } : next(specifier, context),
});
