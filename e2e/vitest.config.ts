import { defineConfig } from 'vitest/config';

// The node from outside, as built: real processes, real sockets. One file at a time, since they measure and kill.
// No test is tried again within its file, whose node remembers the first try: scripts/test.mjs starts such a file anew.
// The limits are for a machine that does other things, too: what takes that long hangs.
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
