import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { electronExecutable } from './scripts/packaging/electron-runtime.mjs';

// The same specs run against every host of the console. `standin` is Chromium with a stand-in for Electron around the
// built desktop scripts. `electron` is the real runtime, where it was downloaded (npx install-electron).
const DESKTOP_ONLY = '**/desktop/**';
const STAND_IN_ONLY = '**/*.standin.spec.ts';
// Specs about what only the web host has.
const HEADLESS_ONLY = [
  '**/passkeys.spec.ts',
  // The desktop app notifies by the system.
  '**/browser-notices.spec.ts',
  '**/session.spec.ts',
  '**/sign-in.spec.ts',
  '**/network.spec.ts',
  // The desktop app serves no browsers, so it has one person.
  '**/people.spec.ts',
  '**/roles.spec.ts',
  '**/take-over.spec.ts',
  // The desktop app has no listener for scripts.
  '**/api-keys.spec.ts',
  // These specs have two nodes of their own.
  '**/refund.spec.ts',
  '**/shop-day.spec.ts',
  // The desktop app keeps its books on its own computer.
  '**/shared-books.spec.ts',
  '**/replicas.spec.ts',
  // This spec makes the books older between two starts.
  '**/archive.spec.ts',
  // These specs end in a download, which the stand-in does not support.
  '**/activity.spec.ts',
  '**/health.spec.ts',
  '**/key-pair.spec.ts',
  '**/receipt.spec.ts',
  '**/reports.spec.ts',
  '**/statements.spec.ts',
  // The window of the desktop app is never as narrow as a phone.
  '**/narrow.spec.ts',
  // This spec delays HTTP answers. On the other hosts the console makes no HTTP requests.
  '**/late-answers.spec.ts',
  // The desktop app opens this window itself, and has a spec for that.
  '**/console/customer-screen.spec.ts',
  // This spec cuts the line between the page and the node.
  '**/till-network.spec.ts',
];

/** `npm test` says so where no PostgreSQL server can run. */
const WITHOUT_POSTGRES = process.env.PAYDESK_TEST_DATABASE === 'none' ? ['**/shared-books.spec.ts', '**/replicas.spec.ts'] : [];

const isShort = process.env.PAYDESK_E2E_SHORT === '1';
const specs = (names: readonly string[]): string[] => (isShort ? names.map((name) => `**/${name}.spec.ts`) : []);
/** Specs that walk through every screen. `npm run e2e` and `npm run soak` run them, `npm test` does not. */
const LONG = specs(['hostile-texts', 'scroll-bars']);
/**
 * Specs that `npm test` does not run on the second host, because both hosts have the same page. `npm run e2e` and
 * `npm run soak` do. What the desktop app does differently has specs of its own, and `live` runs on both hosts.
 */
const SAME_ON_BOTH = specs([
  ...['accessibility', 'accounts', 'amounts', 'approval', 'apps', 'checkout', 'get-paid', 'invitations', 'large-list', 'lock'],
  ...['onboarding', 'palette', 'pay', 'payments', 'peers', 'pseudo-locale', 'rafiki', 'rate-sources', 'rates', 'reach', 'restore'],
  ...['day-closing', 'products', 'refund', 'right-to-left', 'settings', 'till', 'till-network', 'unknown'],
]);

// The nodes and the desktop app say what the tests read, whatever language the computer speaks.
process.env.PAYDESK_MESSAGE_LANGUAGE = 'en';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/playwright',
  reporter: 'list',
  // A test waits for a good part of its time: for its node, for its page, for what the page shows. With two workers a
  // machine with two cores is idle for a quarter of the time.
  workers: 3,
  // A busy machine may take this long. Where paydesk promises a time, the tests themselves measure it.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  // `npm test` leaves out the stories beside the main one of a screen, and runs some on the first host only.
  // `npm run e2e` and `npm run soak` run all of them on both hosts.
  ...(isShort ? { grepInvert: /@long/ } : {}),
  // On a busy machine a test in a browser can fail once by chance. The report lists such a test as flaky. A test that
  // fails twice in a row is broken.
  retries: 1,
  projects: [
    { name: 'headless', testIgnore: [DESKTOP_ONLY, ...LONG, ...WITHOUT_POSTGRES] },
    { name: 'standin', testIgnore: [...HEADLESS_ONLY, ...SAME_ON_BOTH, ...LONG], ...(isShort ? { grepInvert: /@long|@once/ } : {}) },
    ...(existsSync(electronExecutable) ? [{ name: 'electron', testIgnore: [STAND_IN_ONLY, ...HEADLESS_ONLY] }] : []),
  ],
});
