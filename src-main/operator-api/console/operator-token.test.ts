import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { ServerClock } from '../../platform/replicas/testing/server-clock.ts';
import { operatorToken } from '../tables.ts';
import { OPERATOR_TOKEN_FILE } from './console-files.ts';
import { endTokensOfGone, ensureOperatorToken, isOperatorToken, restoreToken } from './operator-token.ts';

let opened: TestDatabase;
let dataFolder: string;
let path: string;

beforeEach(() => {
  opened = openTestDatabase();
  dataFolder = mkdtempSync(join(tmpdir(), 'paydesk-token-'));
  path = join(dataFolder, OPERATOR_TOKEN_FILE);
});
afterEach(async () => {
  await opened.dispose();
  rmSync(dataFolder, { recursive: true });
});

const start = () => ensureOperatorToken({ database: opened.database, clock: new ManualClock(0), dataFolder });
const token = () => readFileSync(path, 'utf8').trim();
const isGood = (value: string) => isOperatorToken(opened.database, value);

it('the node makes a token that only its owner can read, and stores only its hash in the database', async () => {
  await start();
  expect(token()).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await isGood(token())).toBe(true);
  const [row] = await opened.database.read.select().from(operatorToken);
  expect(row?.tokenHash).not.toContain(token());
  expect(await isGood(row?.tokenHash ?? '')).toBe(false);
});

it('each replica has a token of its own, which ends when the replica is gone, and is good again when it comes back', async () => {
  const server = new ServerClock(opened.database);
  const [here, there] = [server.replica('here'), server.replica('there')];
  const thereFolder = mkdtempSync(join(tmpdir(), 'paydesk-token-'));
  for (const replica of [here, there]) await replica.join();
  const parts = { database: opened.database, clock: new ManualClock(0) };
  await ensureOperatorToken({ ...parts, dataFolder, holder: here.id });
  await ensureOperatorToken({ ...parts, dataFolder: thereFolder, holder: there.id });
  const other = readFileSync(join(thereFolder, OPERATOR_TOKEN_FILE), 'utf8').trim();
  expect([await isGood(token()), await isGood(other)]).toEqual([true, true]);
  here.onGone(endTokensOfGone);
  server.now += 5_000;
  await here.look();
  expect([await isGood(token()), await isGood(other)]).toEqual([true, false]);
  // It had only stood still.
  there.onReturn((tx, at) => restoreToken(tx, { dataFolder: thereFolder, holder: there.id }, at));
  await there.look();
  expect([await isGood(token()), await isGood(other)]).toEqual([true, true]);
  rmSync(thereFolder, { recursive: true });
});

it('the node keeps the token when the node restarts', async () => {
  await start();
  const first = token();
  await start();
  expect(token()).toBe(first);
  expect(await isGood(first)).toBe(true);
});

it.each<[string, () => void]>([
  ['missing', () => rmSync(path)],
  ['damaged', () => writeFileSync(path, 'short')],
  ['readable by others', () => chmodSync(path, 0o644)],
])('the node replaces a token whose file is %s', async (_words, happen) => {
  await start();
  const first = token();
  happen();
  await start();
  expect(token()).not.toBe(first);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await isGood(first)).toBe(false);
  expect(await isGood(token())).toBe(true);
});

it('the node follows the file when the database knows another token', async () => {
  await start();
  const old = token();
  const chosen = 'B'.repeat(43);
  writeFileSync(path, `${chosen}\n`);
  await start();
  expect(await isGood(chosen)).toBe(true);
  expect(await isGood(old)).toBe(false);
});
