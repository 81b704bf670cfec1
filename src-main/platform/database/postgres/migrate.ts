import { readMigrationFiles } from 'drizzle-orm/migrator';
import type pg from 'pg';
import { sharedDatabaseProblems as problems } from '../../../../src-shared/words/terminal/shared-database.ts';
import { ReportedError } from '../../errors.ts';
import { failPoint } from '../../fail-points.ts';
import { dueAfter, MIGRATIONS_TABLE, newestOf, type Tell } from '../migrate.ts';
import { plainClient } from './plain-client.ts';

/** The process that migrates holds this advisory lock of the database. Nothing else in the database uses the number. */
const MIGRATING = 7_230_245_117;

/**
 * Brings a PostgreSQL database to the newest schema in one transaction. When that fails, the database is as it was
 * before. When several nodes start at once, one migrates and the others wait for it and find nothing to do.
 *
 * The lock belongs to the transaction, so that it is let go however the connection ends.
 *
 * @param url names the database, such as `postgres://paydesk@127.0.0.1/paydesk`.
 * @param migrationsFolder the folder `drizzle/postgres`
 * @param tell is called after each statement, with its number and how many there are.
 * @returns how many migrations were made.
 * @throws ReportedError when a newer paydesk has written this database, and this version may not work with its schema.
 * @throws the error of the driver when the server cannot be reached, or refuses a statement.
 */
export async function migratePostgres(url: string, migrationsFolder: string, tell?: Tell): Promise<number> {
  const client = await plainClient(url);
  try {
    return await migrateOn(client, migrationsFolder, tell);
  } finally {
    await client.end();
  }
}

async function migrateOn(client: pg.Client, migrationsFolder: string, tell: Tell | undefined): Promise<number> {
  const migrations = readMigrationFiles({ migrationsFolder });
  // What follows the lock must see what was committed before it, whatever the database's own settings are. A migration
  // of big tables may take as long as it takes.
  await client.query('begin isolation level read committed');
  try {
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATING]);
    await client.query(`create table if not exists ${MIGRATIONS_TABLE} (created_at bigint primary key, hash text not null)`);
    const { rows } = await client.query<{ at: string | null }>(`select max(created_at) as at from ${MIGRATIONS_TABLE}`);
    const applied = Number(rows[0]?.at ?? 0);
    if (applied > newestOf(migrations)) await refuseNewer(client, newestOf(migrations));
    const due = dueAfter(migrations, applied);
    const of = due.reduce((sum, { sql }) => sum + sql.length, 0);
    let done = 0;
    for (const { sql, hash, folderMillis } of due) {
      for (const statement of sql) {
        failPoint('upgrade-step');
        await client.query(statement);
        done += 1;
        tell?.(done, of);
      }
      await client.query(`insert into ${MIGRATIONS_TABLE} (created_at, hash) values ($1, $2)`, [folderMillis, hash]);
    }
    failPoint('upgrade-step');
    await client.query('commit');
    failPoint('upgrade-step');
    return due.length;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * A newer version only adds to the schema, so that the version before it works on beside it. The version after that one
 * may remove things, and writes into `turns.oldest_reader` which schema a process must know from then on.
 */
async function refuseNewer(client: pg.Client, newest: number): Promise<void> {
  const { rows } = await client.query<{ oldest: string }>('select oldest_reader as oldest from turns where id = 1');
  if (Number(rows[0]?.oldest ?? Number.POSITIVE_INFINITY) > newest) throw new ReportedError(problems.newer);
}
