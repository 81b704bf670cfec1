import { engine } from './engine.ts';
import type { TestDatabase, TestOptions } from './opened-test.ts';
import { openSqliteTest } from './sqlite-test.ts';

export type { TestDatabase } from './opened-test.ts';

// SQLite needs nothing of what the other engine loads.
const openPostgresTest = engine === 'postgres' ? (await import('./postgres-test.ts')).openPostgresTest : undefined;

/**
 * Opens a migrated database without rows, of the engine that `PAYDESK_TEST_ENGINE` names (`sqlite` without it). Every
 * write job is rehearsed unless `options` say otherwise. A test of what only SQLite does takes {@link openSqliteTest}.
 */
export const openTestDatabase = (options: TestOptions = { rehearse: true }): TestDatabase => (openPostgresTest ?? openSqliteTest)(options);
