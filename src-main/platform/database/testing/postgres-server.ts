import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { binaryFolders, programIn } from './postgres-binaries.ts';
import { followed, type Standby } from './postgres-standby.ts';

/** A PostgreSQL server for tests. */
interface TestServer {
  /** Names a database that is there (`postgres`), and a user who may make others. */
  url: string;
  stop(): Promise<void>;
}

interface OwnServer extends TestServer {
  /** Ends all processes of the server at once, as a crash does, and starts it again after so many milliseconds. */
  crash(awayMs: number): Promise<void>;
  /** Starts a server that follows this one; see {@link followed}. It has to be stopped before this one. */
  addStandby(wayTo: (port: number) => Promise<number>): Promise<Standby>;
}

/** How long a server may take to start or to stop, in seconds. A machine that has much to do takes some. */
const PATIENCE_S = 120;

/** Tests lose nothing when the machine does, so that nothing waits for its disk. */
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
max_connections = 200
shared_buffers = 64MB
`;

const FORM = ['-E', 'UTF8', '--locale=C', '--no-sync'] as const;

/**
 * Starts a server, or takes the one that `PAYDESK_TEST_DATABASE=postgres://…` names. Its user must be allowed to make
 * databases. Without that variable it takes the programs of the machine, and otherwise those from npm.
 * @returns undefined when there is no server and none can be started; a line on standard error says why. It is
 * undefined as well with `PAYDESK_TEST_DATABASE=none`.
 */
export async function testServer(): Promise<TestServer | undefined> {
  const given = process.env.PAYDESK_TEST_DATABASE;
  if (given === 'none') return undefined;
  if (given !== undefined && given !== '') return { url: given, stop: async () => undefined };
  return await ownServer();
}

/** Starts a server of its own, which the caller may crash. @returns undefined when none can be started. */
export async function ownServer(): Promise<OwnServer | undefined> {
  const folders = binaryFolders();
  const problems: string[] = folders.length === 0 ? ['no programs of PostgreSQL were found'] : [];
  for (const folder of folders) {
    try {
      return await start(folder);
    } catch (error) {
      problems.push(`${folder}: ${firstLine(error)}`);
    }
  }
  console.error(`\n!!! NOTHING IS TESTED ON POSTGRESQL: no server can be started here (${problems.join('; ')}).\n`);
  return undefined;
}

/** What a program wrote before it failed, or why it could not be started. */
function firstLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return (stderr || message || String(error)).trim().split('\n')[0] ?? '';
}

async function start(binaries: string): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-postgres-'));
  const owner = unprivileged();
  const [data, passwordFile, log] = [join(folder, 'data'), join(folder, 'password'), join(folder, 'log')];
  const run = (program: 'initdb' | 'pg_ctl', args: string[]) =>
    promisify(execFile)(programIn(binaries, program), args, { cwd: folder, ...owner, env: { ...process.env, LC_ALL: 'C' } });
  try {
    const [password, port] = [randomBytes(18).toString('base64url'), await freePort()];
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (owner !== undefined) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid);
    await run('initdb', ['-D', data, '-U', 'postgres', '-A', 'password', `--pwfile=${passwordFile}`, ...FORM]);
    appendFileSync(join(data, 'postgresql.conf'), `${SETTINGS}port = ${port}\n`);
    const starting = ['start', '-D', data, '-l', log, '-w', '-s', '-t', String(PATIENCE_S)];
    await run('pg_ctl', starting).catch((error: unknown) => {
      throw existsSync(log) ? new Error(readFileSync(log, 'utf8').trim(), { cause: error }) : error;
    });
    const stopping = ['stop', '-D', data, '-m', 'immediate', '-w', '-s', '-t', String(PATIENCE_S)];
    // A run that ends by itself, without the end of its tests, leaves no server behind.
    const atExit = () => {
      execFileSync(programIn(binaries, 'pg_ctl'), stopping, { cwd: folder, ...owner, stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    };
    process.once('exit', atExit);
    const stop = async () => {
      process.off('exit', atExit);
      await run('pg_ctl', stopping);
      rmSync(folder, { recursive: true, force: true });
    };
    const crash = async (awayMs: number) => {
      await run('pg_ctl', stopping);
      await pause(awayMs);
      await run('pg_ctl', starting);
    };
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    const rest = async (meanwhile: () => Promise<void>) => {
      await run('pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w', '-s', '-t', String(PATIENCE_S)]);
      await meanwhile();
      await run('pg_ctl', starting);
    };
    const primary = { url, folder, owner, control: programIn(binaries, 'pg_ctl'), rest, patienceS: PATIENCE_S };
    return { url, stop, crash, addStandby: (wayTo) => followed(primary, wayTo) };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** PostgreSQL refuses to run as root. @returns whom it runs as instead, or undefined when this is not root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  const user = users.get('postgres') ?? users.get('nobody');
  if (user === undefined) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody');
  return user;
}
