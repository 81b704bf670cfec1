import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { needingPostgres } from './scripts/postgres/needing-postgres.mjs';

const TESTS = ['src-*/**/*.test.ts', 'scripts/**/*.test.ts'];
/** Tests that put something in a module's place. They need modules of their own. */
const MOCKING = globSync(TESTS).filter((file) => readFileSync(file, 'utf8').includes('vi.mock('));
/** `npm test` says so where no PostgreSQL server can run. */
const WITHOUT_POSTGRES = process.env.PAYDESK_TEST_DATABASE === 'none' ? needingPostgres() : [];

/** How long tests may take that let two processes act at the same moment, as often as `npm run soak` says. */
const ROUNDS_MS = 500 * Number(process.env.PAYDESK_TEST_ROUNDS ?? 0);
// The limits leave room for a busy machine. A test that takes that long hangs.
const LIMITS = { testTimeout: Math.max(120_000, ROUNDS_MS), hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };
const setupFiles = ['scripts/property-seed.mjs'];

export default defineConfig({
  test: {
    // By itself vitest leaves one core to others, and a small machine has two. Some tests wait for most of their time.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    globalSetup: ['src-main/platform/database/testing/postgres-setup.ts'],
    projects: [
      // Loading the node's modules for each file took longer than most of the tests.
      {
        test: {
          name: 'unit',
          include: TESTS,
          exclude: [...MOCKING, ...WITHOUT_POSTGRES],
          isolate: false,
          environment: 'node',
          setupFiles,
          ...LIMITS,
        },
      },
      { test: { name: 'mocking', include: MOCKING, environment: 'node', setupFiles, ...LIMITS } },
    ],
  },
});
