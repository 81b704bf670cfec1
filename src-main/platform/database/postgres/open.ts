import type pg from 'pg';
import { sharedDatabaseProblems as problems } from '../../../../src-shared/words/terminal/shared-database.ts';
import { ReportedError } from '../../errors.ts';
import type { Logger } from '../../logs/logger.ts';
import { UpgradeWatch } from '../migrate.ts';
import { migratePostgres } from './migrate.ts';
import type { PostgresOptions } from './options.ts';
import { plainClient } from './plain-client.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { inWords } from './problems.ts';

/** The oldest PostgreSQL that is taken. The tests have run on 15 and 18; nothing here is newer than 14. */
const OLDEST = 14;
/** The process that starts holds this advisory lock of the database. Nothing else in the database uses the number. */
const STARTING = 7_230_245_118;

interface Shared {
  /** The URL, and what of it may be shown. */
  address: { readonly url: string; readonly shown: string };
  /** The folder `drizzle/postgres`. */
  migrations: string;
  log: Pick<Logger, 'info'>;
  options: PostgresOptions;
}

/**
 * Opens a shared database in its newest schema. When several replicas start at once, they do so one after the other.
 * @param begin does what one replica must have done before the next may start. It runs under the lock of the start.
 * @throws ReportedError when the database cannot be used, with what the operator can do.
 */
export async function openPostgres(
  { address, migrations, log, options }: Shared,
  begin: (database: PostgresDatabase) => Promise<void>,
): Promise<PostgresDatabase> {
  const { url, shown } = address;
  const clients: pg.Client[] = [];
  const connect = async (): Promise<pg.Client> => {
    const client = await plainClient(url);
    clients.push(client);
    return client;
  };
  let database: PostgresDatabase | undefined;
  try {
    const first = await connect();
    await refuseUnfit(first, shown);
    await refusePooler(first, await connect(), shown);
    await takeLock(first);
    const watch = new UpgradeWatch(log);
    const made = await migratePostgres(url, migrations, watch.tell);
    const facts = { database: shown, migrations: made, seconds: watch.seconds };
    if (made > 0) log.info(facts, 'the shared database has the newest schema now');
    database = new PostgresDatabase(url, options);
    await begin(database);
    return database;
  } catch (error) {
    await database?.close();
    throw inWords(error, shown);
  } finally {
    // With its connection the lock goes, too.
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function refuseUnfit(client: pg.Client, where: string): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string; standby: boolean }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version, pg_is_in_recovery() as standby`,
  );
  const [{ number, version, standby } = { number: '0', version: '', standby: false }] = rows;
  if (Number(number) < OLDEST * 10_000) throw new ReportedError(problems.tooOld({ where, version, oldest: OLDEST }));
  if (standby) throw new ReportedError(problems.standby({ where }));
}

/**
 * A pooler in transaction mode gives one process of the server to several connections. What belongs to a connection
 * (its prepared statements, its settings, what it listens to) is then that of somebody else at times.
 */
async function refusePooler(one: pg.Client, other: pg.Client, where: string): Promise<void> {
  const processOf = async (client: pg.Client) => (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  if ((await processOf(one)) === (await processOf(other))) throw new ReportedError(problems.pooler({ where }));
}

/** The lock belongs to a transaction that stays open, so that it is let go however the connection ends. */
async function takeLock(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0');
  await client.query('select pg_advisory_xact_lock($1)', [STARTING]);
}
