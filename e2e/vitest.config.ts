import { defineConfig } from 'vitest/config';

// These tests drive the built node from outside, with real processes and sockets. They run one file at a time, because
// they measure times and kill processes. A failed test does not run again within its file, because the file's node
// remembers the first try; scripts/test.mjs runs such a file again from its beginning. The limits leave room for a busy
// machine. A test that takes that long hangs.

// `npm run soak` says how long or how often these run. Otherwise they are left out: a skipped test counts as failed.
const LONG_RUNS = [
  { file: 'e2e/node/strangers.test.ts', asked: process.env.PAYDESK_TEST_STRANGERS_MINUTES },
  // It also needs a C compiler, which `npm test` must not.
  { file: 'e2e/node/power-loss.test.ts', asked: process.env.PAYDESK_TEST_CUTS },
];

// scripts/test.mjs says so where no PostgreSQL server can run.
const WITHOUT_POSTGRES = process.env.PAYDESK_TEST_DATABASE === 'none' ? ['e2e/cluster/**'] : [];

export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    exclude: [...WITHOUT_POSTGRES, ...LONG_RUNS.filter(({ asked }) => asked === undefined).map(({ file }) => file)],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    passWithNoTests: true,
  },
});
