import { defineConfig } from 'vitest/config';

// These tests drive the built node from outside, with real processes and sockets. They run one file at a time, because
// they measure times and kill processes. A failed test does not run again within its file, because the file's node
// remembers the first try; scripts/test.mjs runs such a file again from its beginning. The limits leave room for a busy
// machine. A test that takes that long hangs.

// `npm run soak` sets the minutes of the long run. Without them its file is left out: a skipped test counts as failed.
const LONG_RUNS = process.env.PAYDESK_TEST_STRANGERS_MINUTES === undefined ? ['e2e/node/strangers.test.ts'] : [];

export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    exclude: LONG_RUNS,
    environment: 'node',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    passWithNoTests: true,
  },
});
