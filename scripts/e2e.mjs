// @ts-check
import { ensureBrowser } from './browser.mjs';
import { buildIfNeeded } from './build-if-needed.mjs';
import { commandOf, runNode } from './project.mjs';

// `npm run e2e -- [Playwright's arguments]`: the console in a real Chromium, against the node as built.
await buildIfNeeded();
const { executablePath } = await ensureBrowser();
const { code } = await runNode(commandOf('@playwright/test', 'playwright'), ['test', ...process.argv.slice(2)], {
  env: { PAYDESK_CHROMIUM: executablePath },
});
process.exitCode = code;
