import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { consoleLink } from '../support/nodes/console-link.ts';
import { evaluateIn, INSPECTED } from '../support/nodes/inspector.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { openConsoleLink } from '../support/pages/console-session.ts';

// How the built node starts, stops and refuses, as a person or a service manager sees it.

const HEADLESS = join(root, 'out/main/headless.js');
const ANYWHERE = ['--listen', '127.0.0.1:0', '--console', '127.0.0.1:0'];

let folder: string;
let dataDir: string;
const running: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-startup-'));
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true });
});

/** A node on the test's data folder, with what it printed so far. */
function launch(args: readonly string[] = ANYWHERE, env: Readonly<Record<string, string>> = { PAYDESK_DATA_DIR: dataDir }) {
  const child = spawn(process.execPath, args[0] === '-e' ? args : [HEADLESS, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, ...env },
  });
  running.push(child);
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text) => {
      printed[name] += text;
    });
  }
  return { child, printed, ended: once(child, 'close').then(([code, signal]: (number | string | null)[]) => code ?? signal) };
}

interface Ready {
  event: string;
  publicUrl: string;
  consoleUrl: string;
}

/** Counts the files of a package that a process has loaded. */
const LOADED = `Object.keys(process.getBuiltinModule('node:module')._cache)
  .filter((file) => file.split(/[\\\\/]/).join('/').includes('/node_modules/NAME/')).length`;

/** Waits for the ready line. */
async function ready(node: ReturnType<typeof launch>): Promise<Ready> {
  await expect.poll(() => node.printed.stdout, { interval: 20, message: node.printed.stderr }).toMatch(/\n$/);
  return JSON.parse(node.printed.stdout) as Ready;
}

/**
 * How long an end may take: five seconds, or five times what a start takes on a machine that does other things.
 * @param started when, by `performance.now()`
 */
const patience = (started: number): number => Math.max(5_000, 5 * (performance.now() - started));

/** Starts what cannot start. @returns the one line it says. */
async function refusal(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<string> {
  const { printed, ended } = launch(args, env);
  expect([await ended, printed.stdout], printed.stderr).toEqual([1, '']);
  expect(printed.stderr).toMatch(/^[^\n]+\.\n$/);
  expect(printed.stderr).not.toMatch(/^\{|\bat .*:\d+:\d+/);
  return printed.stderr.trim();
}

describe('the node', () => {
  it('loads the program for PostgreSQL only when its books are there', async () => {
    const node = await RunningNode.start({ env: INSPECTED });
    const loaded = async (name: string) => await evaluateIn(node, LOADED.replace('NAME', name));
    expect(await loaded('better-sqlite3')).toBeGreaterThan(0);
    expect(await loaded('pg')).toBe(0);
    await node.stop();
  });

  it('prints one JSON line without a secret, and ends cleanly on SIGTERM', async () => {
    const started = performance.now();
    const node = launch();
    const { event, publicUrl, consoleUrl, ...rest } = await ready(node);
    const patienceMs = patience(started);
    expect({ event, rest }).toEqual({ event: 'ready', rest: {} });
    expect((await fetch(`${publicUrl}/healthz`)).status).toBe(200);
    expect(publicUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    // A name, because browsers bind passkeys to one; the address where another program listens at that port of ::1.
    expect(consoleUrl).toMatch(/^http:\/\/(localhost|127\.0\.0\.1):\d+$/);

    const asked = performance.now();
    node.child.kill('SIGTERM');
    expect(await node.ended).toBe(0);
    expect(performance.now() - asked).toBeLessThan(patienceMs);
    expect(node.printed.stdout.split('\n')).toHaveLength(2);
    expect(node.printed.stderr).not.toMatch(/"level":"(warn|error|fatal)"/);
    // The last connection has written the log back into the database, and the file with the console's URL is gone.
    expect(readdirSync(dataDir).toSorted()).toEqual([
      'backups',
      'generation',
      'node-secrets.json',
      'operator-token',
      'paydesk.db',
      'paydesk.lock',
    ]);
  });

  it('goes on when nobody reads its output any more', async () => {
    const node = launch();
    node.child.stdout?.destroy();
    await expect.poll(() => node.printed.stderr, { interval: 20 }).toMatch(/the node is ready/);
    const [, url = ''] = /"publicUrl":"([^"]+)"/.exec(node.printed.stderr) ?? [];
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    node.child.kill('SIGTERM');
    expect(await node.ended).toBe(0);
  });

  it('ends cleanly on Ctrl-C with requests and live queries under way', async () => {
    const started = performance.now();
    const node = await RunningNode.start();
    const patienceMs = patience(started);
    const changes = await node.operator.node.changes();
    await changes.next();
    const last = changes.next().then(
      () => undefined,
      () => undefined,
    );
    process.kill(node.pid, 'SIGINT');
    const asked = performance.now();
    expect(await node.stop()).toBe(0);
    expect(performance.now() - asked).toBeLessThan(patienceMs);
    await last;
  });

  it('ends as cleanly when its terminal is closed', async () => {
    const node = launch();
    await ready(node);
    // The terminal takes no output any more either.
    for (const end of [node.child.stdout, node.child.stderr]) end?.destroy();
    // The system and the shell both tell the processes of a terminal that it is closed.
    const consoleUrl = join(dataDir, 'console-url');
    while (existsSync(consoleUrl)) {
      node.child.kill('SIGHUP');
      await setTimeout(1);
    }
    expect(await node.ended).toBe(0);
  });

  it('works at once when it starts after kill -9', async () => {
    const first = launch();
    await ready(first);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(existsSync(join(dataDir, 'console-url'))).toBe(true);
    const second = launch();
    const { consoleUrl } = await ready(second);
    expect(readFileSync(join(dataDir, 'console-url'), 'utf8').trim()).toBe(consoleUrl);
  });

  it('takes every setting from the environment', async () => {
    const node = launch([], {
      PAYDESK_DATA_DIR: dataDir,
      PAYDESK_LISTEN: '127.0.0.1:0',
      PAYDESK_CONSOLE: 'localhost:0',
      PAYDESK_PUBLIC_URL: 'https://pay.example',
      PAYDESK_LOG_LEVEL: 'silent',
      PAYDESK_DEVELOPMENT: 'true',
    });
    const { publicUrl, consoleUrl } = await ready(node);
    expect(publicUrl).toBe('https://pay.example');
    expect(consoleUrl).toMatch(/^http:\/\/localhost:\d+$/);
    expect(existsSync(join(dataDir, 'paydesk.db'))).toBe(true);
    expect(node.printed.stderr).toBe('');
  });

  it('keeps the data in a folder of the user when no data folder is named', async () => {
    await ready(launch(ANYWHERE, { APPDATA: folder }));
    const found = readdirSync(folder, { recursive: true }).map(String);
    expect(found.filter((path) => path.endsWith('paydesk.db'))).toHaveLength(1);
  });

  it.each(['--help', '--version'])('answers %s and does nothing else', async (flag) => {
    const { printed, ended } = launch([flag]);
    expect(await ended).toBe(0);
    expect(printed.stderr).toBe('');
    if (flag === '--help') {
      const flags = [...printed.stdout.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name = '']) => name);
      expect(flags).toEqual(expect.arrayContaining(['data-dir', 'listen', 'public-url', 'console', 'log-level', 'development']));
      for (const name of flags.filter((name) => name !== 'help' && name !== 'version')) {
        expect(printed.stdout).toContain(`PAYDESK_${name.toUpperCase().replaceAll('-', '_')}`);
      }
    } else expect(printed.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe('the node refuses to start and says what to do', () => {
  it('when another node runs on the same data folder', async () => {
    const first = launch();
    const { publicUrl } = await ready(first);
    expect(await refusal()).toBe(
      `Another paydesk is already running on ${dataDir}. Stop it first, or choose another folder with --data-dir.`,
    );
    expect((await fetch(`${publicUrl}/healthz`)).status).toBe(200);
  });

  it('when a port is taken, and leaves the data folder free', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const taken = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    const port = taken.split(':')[1];
    expect(await refusal(['--listen', taken, '--console', '127.0.0.1:0'])).toBe(
      `Port ${port} on 127.0.0.1 is taken by another program. Stop that one, or choose another with --listen HOST:PORT.`,
    );
    expect(await refusal(['--listen', '127.0.0.1:0', '--console', taken])).toMatch(new RegExp(`${port}.*--console`));
    await new Promise((resolve) => other.close(resolve));
    await ready(launch());
  });

  it('when the address is one of another computer', async () => {
    expect(await refusal(['--listen', '192.0.2.1:0', '--console', '127.0.0.1:0', '--trusted-proxies', '192.0.2.9'])).toContain(
      '192.0.2.1 is not an address of this computer',
    );
  });

  it('when it cannot write the data folder', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below'), ...(process.platform === 'linux' ? ['/proc/paydesk'] : [])]) {
      expect(await refusal([...ANYWHERE, '--data-dir', path])).toMatch(
        /^paydesk cannot write into the data folder .* \([A-Z]+\)\. .*--data-dir\.$/,
      );
    }
  });

  it.each(['20.19.0', '18.20.4', '21.7.3'])('on Node %s', async (version) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
    const words = await refusal(['-e', `${pretend} import(${JSON.stringify(HEADLESS)})`]);
    expect(words).toBe(`paydesk needs Node 22 or newer, this is ${version}. Start it with "npm run headless", which brings its own.`);
  });

  it('when a newer version has written the database, and leaves the database as it is', async () => {
    const node = launch();
    await ready(node);
    node.child.kill();
    await node.ended;
    const file = join(dataDir, 'paydesk.db');
    const database = new Sqlite(file);
    database.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)').run('newer', Date.now() + 1e12);
    database.close();
    const before = readFileSync(file);
    expect(await refusal()).toBe(
      'This data folder was written by a newer version of paydesk. Install that version or newer, or choose another folder with --data-dir.',
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('when the secrets are damaged', async () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'node-secrets.json'), '{"version":1,"node":"c2VjcmV0');
    const words = await refusal();
    expect(words).toMatch(/^node-secrets\.json in the data folder is damaged or cannot be read\. Restore it from your backup/);
    expect(words).not.toContain('c2VjcmV0');
  });

  it('when the database is damaged', async () => {
    const node = launch();
    await ready(node);
    node.child.kill();
    await node.ended;
    writeFileSync(join(dataDir, 'paydesk.db'), 'this is no database'.repeat(1_000));
    expect(await refusal()).toMatch(/^The database in the data folder is damaged\. Restore the last backup/);
  });

  it.each(['node-secrets.json', 'paydesk.db'])('when %s is gone from the folder, and does not begin anew', async (name) => {
    const node = launch();
    await ready(node);
    node.child.kill();
    await node.ended;
    rmSync(join(dataDir, name));
    expect(await refusal()).toMatch(new RegExp(`^${name} is missing in .* restore your last backup`));
    expect(existsSync(join(dataDir, name))).toBe(false);
  });

  // The system's limit on the size of files stands for a full disk, at several moments.
  it.runIf(process.platform !== 'win32').each([0, 1, 100, 400])('when the disk has room for %i blocks', async (blocks) => {
    const limited = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`;
    const child = spawn('sh', ['-c', limited, process.execPath, HEADLESS, ...ANYWHERE, '--data-dir', dataDir]);
    running.push(child);
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect([code, out], err).toEqual([1, '']);
    expect(err).toMatch(/^[^\n]*(cannot (read or )?write|could not be stored)[^\n]*\n$/);
  });

  it.each([
    [['--listen', 'nonsense'], /--listen must look like 127\.0\.0\.1:3000/],
    [['--public-url', 'https://pay.example/wallet'], /--public-url must be an origin/],
    [['--public-url', 'http://pay.example'], /must begin with https:\/\//],
    [['--console', '0.0.0.0:3001'], /SSH tunnel/],
    [['--frobnicate'], /--frobnicate.*--help/],
    [['dance'], /no command "dance".*--help/],
  ])('when the command line is %j', async (flags, words) => {
    expect(await refusal([...ANYWHERE, ...flags])).toMatch(words);
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe('console-link', () => {
  it('prints a link that opens the running console once', async () => {
    const node = launch();
    const { consoleUrl } = await ready(node);
    const { printed, ended } = launch(['console-link']);
    expect([await ended, printed.stderr]).toEqual([0, '']);
    expect(printed.stdout).toMatch(new RegExp(`^${consoleUrl}/#link=[A-Za-z0-9_-]{43}\n$`));
    const { operator } = await openConsoleLink(printed.stdout.trim());
    expect(await operator.node.info()).toMatchObject({ host: 'headless', reachableByOthers: false });
    await expect(openConsoleLink(printed.stdout.trim())).rejects.toThrow('403');
  });

  it('says that no node runs when the folder is empty or the node was killed', async () => {
    const words = `No headless paydesk is running on ${dataDir}. Start it with "npm run headless", or name its folder with --data-dir.`;
    expect(await refusal(['console-link'])).toBe(words);
    const node = await RunningNode.start({ dataDir });
    await consoleLink(node);
    await node.kill();
    expect(await refusal(['console-link'])).toBe(words);
  });
});
