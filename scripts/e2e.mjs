// @ts-check
import { ensureBrowser } from './browser.mjs';
import { buildIfNeeded } from './build-if-needed.mjs';
import { commandOf, runNode } from './project.mjs';

// `npm run e2e -- [Playwright's arguments]` tests the console of the built node in a real Chromium.
await buildIfNeeded();
const { executablePath } = await ensureBrowser();
const { code } = await runNode(commandOf('@playwright/test', 'playwright'), ['test', ...process.argv.slice(2)], {
  env: { PAYDESK_CHROMIUM: executablePath },
});
process.exitCode = code;
