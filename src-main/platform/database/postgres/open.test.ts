import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Logger } from '../../logs/logger.ts';
import { POSTGRES_MIGRATIONS } from '../testing/other-migrations.ts';
import { emptyDatabase, hasPostgres, type OneDatabase } from '../testing/postgres-databases.ts';
import { openPostgres } from './open.ts';
import type { PostgresDatabase } from './postgres-database.ts';

let made: OneDatabase;

function open(
  url = made.url,
  begin: (database: PostgresDatabase) => Promise<void> = async () => undefined,
  info: (facts: object, words: string) => void = () => undefined,
) {
  const address = { url, shown: 'db.example:5432/books' };
  return openPostgres(
    { address, migrations: POSTGRES_MIGRATIONS, log: { info } as Pick<Logger, 'info'>, options: { listens: false } },
    begin,
  );
}

const changed = (change: (url: URL) => void): string => {
  const url = new URL(made.url);
  change(url);
  return url.href;
};

/** Why it could not be opened. Nothing that is told may hold the password. */
async function whyNot(url: string): Promise<string> {
  const { password } = new URL(url);
  const error: unknown = await open(url).then(
    (database) => database.close(),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('it was opened');
  if (password !== '') expect(`${error.stack} ${String(error.cause)}`).not.toContain(password);
  return error.message;
}

/** Makes the server seem to be another one from now on: a function of ours stands before one of its own. */
async function pretend(name: string, body: string): Promise<void> {
  await made.run(`create schema pretended; create function pretended.${name} language sql as $$ ${body} $$`);
  await made.run(`alter database "${new URL(made.url).pathname.slice(1)}" set search_path = public, pretended, pg_catalog`);
}

describe.runIf(hasPostgres)('a shared database', () => {
  beforeEach(async () => {
    made = emptyDatabase();
    await made.ready;
  });
  afterEach(() => made.drop());

  it('is brought to the newest schema, and opened', async () => {
    const database = await open();
    expect(await database.write(async () => 1)).toBe(1);
    await database.close();
  });

  it('says in the log every five seconds how far its upgrade is, and how long it took', async () => {
    let seconds = 0;
    // Each look at the clock takes a second here.
    const now = vi.spyOn(performance, 'now').mockImplementation(() => {
      seconds += 1;
      return 1_000 * seconds;
    });
    const lines: { words: string; facts: object }[] = [];
    const begin = async () => now.mockRestore();
    const database = await open(made.url, begin, (facts, words) => lines.push({ words, facts })).finally(() => now.mockRestore());
    await database.close();
    const last = lines.pop();
    expect(last).toMatchObject({ words: 'the shared database has the newest schema now', facts: { seconds: expect.any(Number) } });
    expect(lines.length).toBeGreaterThan(1);
    const goesOn = { step: expect.any(Number), of: expect.any(Number), seconds: expect.any(Number) };
    for (const line of lines) expect(line).toEqual({ words: 'the upgrade goes on', facts: goesOn });
  });

  it('begins for one process after the other', async () => {
    const order: string[] = [];
    const begin = (name: string) => async (database: PostgresDatabase) => {
      order.push(`${name} begins`);
      for (let turn = 0; turn < 5; turn += 1) await database.write(async () => undefined);
      order.push(`${name} ends`);
    };
    const opened = await Promise.all([open(made.url, begin('a')), open(made.url, begin('b')), open(made.url, begin('c'))]);
    await Promise.all(opened.map((database) => database.close()));
    expect(order.filter((_, place) => place % 2 === 0).map((begun) => begun.replace('begins', 'ends'))).toEqual(
      order.filter((_, place) => place % 2 === 1),
    );
  });

  it('lets the next one begin when the one before has failed', async () => {
    await expect(open(made.url, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await (await open()).close();
  });

  it('soon lets the locks go of a computer that loses its power while it starts or migrates', async () => {
    const settings = ['tcp_user_timeout', 'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count'];
    await made.run('create table locks (settings text)');
    const kept = settings.map((name) => `current_setting('${name}')`).join(', ');
    await pretend('pg_advisory_xact_lock(bigint) returns void', `insert into public.locks select concat_ws(' ', ${kept})`);
    await (await open()).close();
    expect(await made.run('select distinct settings from locks')).toEqual([{ settings: '60000 15 15 3' }]);
  });

  it('says in words that nobody answers, that the password is wrong, and that it does not exist', async () => {
    expect(await whyNot(changed((url) => (url.port = '1')))).toContain('does not answer (ECONNREFUSED)');
    expect(await whyNot(changed((url) => (url.password = 'wrong-s3cret')))).toContain('does not accept the user or the password');
    expect(await whyNot(changed((url) => (url.pathname = '/not_there')))).toContain('There is no database');
  });

  it('says in words that it has tables of somebody else, and changes nothing', async () => {
    await made.run('create table wallet_addresses (id text)');
    expect(await whyNot(made.url)).toMatch(/^paydesk cannot work with the tables in db.example:5432\/books, .* already exists\)\. Nothing/);
    await expect(made.run('select 1 from turns')).rejects.toThrow('does not exist');
  });

  it('says in words that a user may not make tables', async () => {
    const role = `lowly_${process.pid}`;
    await made.run(`create role ${role} login password 'lowly'; revoke create on schema public from public`);
    const url = changed((one) => {
      one.username = role;
      one.password = 'lowly';
    });
    expect(await whyNot(url)).toContain('permission denied for schema public');
    await made.run(`drop role ${role}`);
  });

  it.each([
    ['a server that is too old', 'current_setting(text) returns text', "select '130022'", 'needs PostgreSQL 14 or newer'],
    ['a standby', 'pg_is_in_recovery() returns boolean', 'select true', 'is on a standby'],
    [
      'a pooler that gives one process of the server to several',
      'pg_backend_pid() returns integer',
      'select 7',
      'pooler in transaction mode',
    ],
  ])('refuses in words %s', async (_, name, body, words) => {
    await pretend(name, body);
    expect(await whyNot(made.url)).toContain(words);
  });

  it('is opened by an older version while that version may work with its schema, and refused afterwards', async () => {
    await (await open()).close();
    await made.run(`insert into __drizzle_migrations (created_at, hash) values (9000000000000, 'later')`);
    await (await open()).close();
    await made.run('update turns set oldest_reader = 9000000000000');
    expect(await whyNot(made.url)).toContain('changed by a newer version of paydesk');
  });
});
