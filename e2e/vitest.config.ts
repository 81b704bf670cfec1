import { defineConfig } from 'vitest/config';

// The node from outside, as built: real processes, real sockets. One file at a time, since they measure and kill.
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    // As for the browser: processes on a busy machine can stumble over its time limits, and what fails twice in a row is broken.
    retry: 1,
    passWithNoTests: true,
  },
});
