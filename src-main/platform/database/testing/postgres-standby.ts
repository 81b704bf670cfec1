import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** A server that follows another one. */
export interface Standby {
  readonly port: number;
  /** Lets each commit of the primary wait from now on until this server has it. */
  makeSynchronous(): Promise<void>;
  /** Reads what this server has of a database of the primary. */
  ask(url: string, sql: string): Promise<pg.QueryResult>;
  /** Makes a primary of it. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

interface Primary {
  /** The URL of the primary, as the owner of the server. */
  url: string;
  /** The folder of both servers. */
  folder: string;
  /** Whom the servers run as; undefined when that is this user. */
  owner: { uid: number; gid: number } | undefined;
  /** The path of `pg_ctl`. */
  control: string;
  /** Stops the primary in order, and starts it again after `meanwhile`. */
  rest(meanwhile: () => Promise<void>): Promise<void>;
  /** How long a server may take to start or to stop, in seconds. */
  patienceS: number;
}

/**
 * Starts a server that follows this one, from a copy of its files. What PostgreSQL itself brings for that
 * (`pg_basebackup`) is not among the programs from npm.
 * @param wayTo returns the port at which the standby reaches the port of the primary.
 */
export async function followed(primary: Primary, wayTo: (port: number) => Promise<number>): Promise<Standby> {
  const { folder, owner, control, patienceS } = primary;
  const [data, log, port] = [join(folder, 'standby'), join(folder, 'standby-log'), await freePort()];
  const options = { cwd: folder, ...owner, env: { ...process.env, LC_ALL: 'C' } };
  const run = (args: readonly string[]) =>
    promisify(execFile)(control, [...args, '-D', data, '-w', '-s', '-t', String(patienceS)], options);
  await primary.rest(async () => {
    await promisify(execFile)('cp', ['-a', join(folder, 'data'), data]);
  });
  const { hostname, port: primaryPort, username, password } = new URL(primary.url);
  const way = await wayTo(Number(primaryPort));
  const conninfo = `host=${hostname} port=${way} user=${username} password=${decodeURIComponent(password)} application_name=standby`;
  appendFileSync(join(data, 'postgresql.conf'), `port = ${port}\nprimary_conninfo = '${conninfo}'\n`);
  writeFileSync(join(data, 'standby.signal'), '');
  if (owner !== undefined) chownSync(join(data, 'standby.signal'), owner.uid, owner.gid);
  await run(['start', '-l', log]);
  const stopping = ['stop', '-m', 'immediate'];
  // The exit of this process ends the standby before its folder goes with the primary.
  const atExit = () => execFileSync(control, [...stopping, '-D', data, '-w', '-s'], { ...options, stdio: 'ignore' });
  process.prependOnceListener('exit', atExit);
  await until(primary.url, "select 1 from pg_stat_replication where state = 'streaming'");
  return {
    port,
    makeSynchronous: async () => {
      await until(primary.url, "alter system set synchronous_standby_names = 'standby'", 'select pg_reload_conf()');
      await until(primary.url, "select 1 from pg_stat_replication where sync_state = 'sync'");
    },
    ask: async (url, sql) => await on(Object.assign(new URL(url), { port: String(port) }).href, (client) => client.query(sql)),
    promote: async () => {
      await run(['promote']);
    },
    stop: async () => {
      process.off('exit', atExit);
      await run(stopping);
    },
  };
}

/** Runs these statements until the last one has a row. */
async function until(url: string, ...statements: readonly string[]): Promise<void> {
  await on(url, async (client) => {
    for (;;) {
      let rows = 0;
      for (const sql of statements) rows = (await client.query(sql)).rows.length;
      if (rows > 0) return;
      await pause(100);
    }
  });
}

async function on<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
