import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Where the packages of Debian and Ubuntu put the programs of the server, one folder a version. */
const PROGRAMS = '/usr/lib/postgresql';

/**
 * A PostgreSQL server for tests: the one that PAYDESK_TEST_DATABASE names, or a new one from the programs on this
 * computer. @returns undefined where none can run.
 */
export async function testServer(): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  const url = process.env.PAYDESK_TEST_DATABASE;
  if (url !== undefined) return { url, stop: async () => undefined };
  const programs = newestPrograms();
  const user = await serverUser();
  if (programs === undefined || user === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.uid);
  const data = join(folder, 'data');
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'paydesk', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'], user);
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200 -k ${folder}`;
  await run(join(programs, 'pg_ctl'), ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start'], user);
  const stop = async () => {
    await run(join(programs, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], user);
    rmSync(folder, { recursive: true });
  };
  return { url: `postgres://paydesk@127.0.0.1:${port}/postgres`, stop };
}

function newestPrograms(): string | undefined {
  if (!existsSync(PROGRAMS)) return undefined;
  const newest = readdirSync(PROGRAMS)
    .map(Number)
    .toSorted((a, b) => b - a)[0];
  return newest === undefined ? undefined : join(PROGRAMS, String(newest), 'bin');
}

/** The server does not run as root. */
async function serverUser(): Promise<{ uid?: number; cwd: string } | undefined> {
  if (process.getuid?.() !== 0) return { cwd: tmpdir() };
  const found = await run('id', ['-u', 'postgres']).catch(() => undefined);
  return found === undefined ? undefined : { uid: Number(found.stdout), cwd: tmpdir() };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
