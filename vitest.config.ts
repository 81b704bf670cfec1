import { defineConfig } from 'vitest/config';

// The limits leave room for a busy machine. A test that takes that long hangs.
export default defineConfig({
  test: {
    include: ['src-*/**/*.test.ts', 'scripts/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['src-main/platform/database/testing/postgres-setup.ts'],
    setupFiles: ['scripts/property-seed.mjs'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
