import { defineConfig } from 'vitest/config';

// These tests drive the built node from outside, with real processes and sockets. They run one file at a time, because
// they measure and kill. No test is tried again within its file, whose node remembers the first try: scripts/test.mjs
// starts such a file anew. The limits leave room for a busy machine: a test that takes that long hangs.
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    passWithNoTests: true,
  },
});
