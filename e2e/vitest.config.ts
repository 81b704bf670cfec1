import { defineConfig } from 'vitest/config';

// The node from outside, as built: real processes, real sockets. One file at a time, since they measure and kill.
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    passWithNoTests: true,
  },
});
