// @ts-check
import { ensureBrowser, findHeadlessShell } from './browser.mjs';
import { buildIfNeeded } from './build-if-needed.mjs';
import { commandOf, runNode } from './project.mjs';

// `npm run e2e -- [Playwright's arguments]` tests the console of the built node in a real Chromium.
await buildIfNeeded();
// Whoever names a Chromium has all tests run in it.
const named = process.env.PAYDESK_CHROMIUM;
const { executablePath } = await ensureBrowser();
const { code } = await runNode(commandOf('@playwright/test', 'playwright'), ['test', ...process.argv.slice(2)], {
  env: { PAYDESK_CHROMIUM: executablePath, PAYDESK_HEADLESS_SHELL: (named ? undefined : findHeadlessShell()) ?? '' },
});
process.exitCode = code;
