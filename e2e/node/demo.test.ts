import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { openConsoleLink } from '../support/pages/console-session.ts';

// The demo as a person starts it, in a temporary folder of its own so that what it leaves behind is seen.

let folder: string;
let demo: ChildProcess;
let output: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-demo-test-'));
});
afterEach(async () => {
  if (isRunning()) process.kill(-(demo.pid ?? 0), 'SIGKILL');
  await ended();
  rmSync(folder, { recursive: true });
});

/** Starts the demo as a person types it. */
const playWithNpm = (...flags: string[]) => play('npm', 'run', '--silent', 'demo', '--', ...flags);
/** Starts the demo without npm, which does not pass on how a program ended after Ctrl-C. */
const playWithNode = (...flags: string[]) => play(process.execPath, 'scripts/demo.mjs', ...flags);

function play(command: string, ...args: string[]) {
  demo = spawn(command, args, {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The demo gets a process group of its own, which a terminal's Ctrl-C reaches.
    detached: true,
  });
  output = '';
  for (const stream of [demo.stdout, demo.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
}

const isRunning = () => demo.exitCode === null && demo.signalCode === null;

/** What the demo has left in the temporary folder; npm keeps a cache of its own there. */
const leftBehind = () => readdirSync(folder).filter((name) => name.startsWith('paydesk-'));

async function ended(): Promise<number | null> {
  if (isRunning()) await once(demo, 'close');
  return demo.exitCode;
}

/** Waits for words the demo prints. @returns the last match in what it has printed so far. */
async function told(pattern: RegExp): Promise<string> {
  await expect.poll(() => output, { interval: 20 }).toMatch(pattern);
  return [...output.matchAll(new RegExp(pattern, 'g'))].at(-1)?.at(-1) ?? '';
}

it('the demo tells the whole story by itself, ends with 0 and leaves nothing behind', async () => {
  playWithNpm('--approve', '--exit');
  expect(await ended(), output).toBe(0);
  const parts = [
    'A fresh node starts',
    'creates an incoming payment of 26.00 USD',
    'asks to pay from Household, at most 50.00 USD a month',
    'The hash in its address is right',
    'sent 26.00 USD of 26.00 USD',
    'Completed, in 6 ILP packets',
    'sent 14.00 USD of 14.00 USD',
    'Refused (403, limit_exceeded)',
    'The old token is dead (401)',
    'Dead as well (401)',
    'Garden Shop holds 40.00 USD, Household 460.00 USD',
    'That was the whole story',
  ];
  const places = parts.map((part) => output.indexOf(part));
  expect(places, output).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(output).toBe(stripVTControlCharacters(output));
  expect(output).not.toContain('#link=');
  expect(leftBehind()).toEqual([]);
});

it('the demo waits for the operator through a denial, a lapse and a wrong code, and leaves the node open until Ctrl-C', async () => {
  playWithNode();
  const { operator } = await openConsoleLink(await told(/Open the console .*? (\S+#link=\S+)/));
  const openPage = async (nth: number) => {
    await expect.poll(() => output.split('The approval page, for the person').length).toBe(nth + 1);
    const url = await told(/The approval page, .*?: (\S+)/);
    const code = /data-code="(\d{4})"/.exec(await (await fetch(url)).text())?.[1] ?? '';
    await expect.poll(() => output.split('The page is open. Now open the console').length).toBe(nth + 1);
    const [request] = await operator.approvals.list();
    return { url, code, id: request?.id ?? '', shownHash: request?.shownHash ?? '' };
  };

  const first = await openPage(1);
  await operator.approvals.deny({ id: first.id });
  await told(/(It was turned down)/);

  const second = await openPage(2);
  const database = new Sqlite(join(folder, leftBehind()[0] ?? '', 'paydesk.db'));
  database.prepare('update grants set lapses_at = 1 where id = ?').run(second.id);
  database.close();
  await told(/(Nobody decided in time)/);

  const { url, code, id } = await openPage(3);
  const wrong = code === '0000' ? '0001' : '0000';
  const request = async () => ({ id, shownHash: (await operator.approvals.get({ id })).shownHash });
  await expect(operator.approvals.approve({ ...(await request()), code: wrong })).rejects.toMatchObject({ code: 'WRONG_CODE' });
  await told(/(That was not the code on the page. 4 attempts are left)/);
  // The page of the first request still sends its denial. It must not answer for the third request.
  await fetch(first.url);
  await operator.approvals.approve({ ...(await request()), code });
  const back = await fetch(url);
  expect(await back.text()).toContain('You are back at Garden Orders');

  await told(/(That was the whole story)/);
  const publicUrl = await told(/reach it at (\S+)/);
  expect((await fetch(`${publicUrl}/healthz`)).status).toBe(200);
  await openConsoleLink(await told(/A new link to its console: (\S+)/));
  process.kill(-(demo.pid ?? 0), 'SIGINT');
  expect(await ended(), output).toBe(0);
  await expect(fetch(publicUrl)).rejects.toThrow();
  expect(leftBehind()).toEqual([]);
});

it('the demo stops cleanly while it waits for the operator', async () => {
  playWithNode('--exit');
  await told(/The approval page, .*?: (\S+)/);
  process.kill(-(demo.pid ?? 0), 'SIGINT');
  expect(await ended(), output).toBe(130);
  expect(leftBehind()).toEqual([]);
});

it('the demo explains its flags', async () => {
  playWithNpm('--aprove');
  expect(await ended()).toBe(1);
  expect(output).toContain('--approve');
  expect(leftBehind()).toEqual([]);
});
