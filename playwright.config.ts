import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { electronExecutable } from './scripts/electron-runtime.mjs';

// The same specs against every host of the console. `standin` is Chromium with a stand-in for Electron around the built
// desktop scripts; `electron` is the real runtime, where it has been fetched (npx install-electron).
const DESKTOP_ONLY = '**/desktop/**';
const STAND_IN_ONLY = '**/*.standin.spec.ts';
// What the web host alone has.
const HEADLESS_ONLY = [
  '**/session.spec.ts',
  // They end in a download, which the stand-in does not have.
  '**/activity.spec.ts',
  '**/health.spec.ts',
  '**/key-pair.spec.ts',
  // It holds up answers on their way, which are no requests there.
  '**/late-answers.spec.ts',
];

/** What `npm test` leaves to `npm run e2e` on the second host, because it is the same page on both. */
const SAME_ON_BOTH =
  process.env.PAYDESK_E2E_SHORT === '1'
    ? [
        ...['accessibility', 'accounts', 'approval', 'checkout', 'get-paid', 'large-list', 'narrow', 'palette', 'pay', 'payments', 'peers'],
        ...['pseudo-locale', 'rates', 'settings', 'unknown'],
      ].map((name) => `**/${name}.spec.ts`)
    : [];

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/playwright',
  reporter: 'list',
  workers: 2,
  // How long a busy machine may take; what is promised in seconds is measured by the tests themselves.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  // A browser can stumble on a machine that does other things. What fails twice in a row is broken; the report lists
  // each stumble as flaky.
  retries: 1,
  projects: [
    { name: 'headless', testIgnore: DESKTOP_ONLY },
    { name: 'standin', testIgnore: [...HEADLESS_ONLY, ...SAME_ON_BOTH] },
    ...(existsSync(electronExecutable) ? [{ name: 'electron', testIgnore: [STAND_IN_ONLY, ...HEADLESS_ONLY] }] : []),
  ],
});
