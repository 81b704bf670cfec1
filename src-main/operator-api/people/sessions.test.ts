import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import { pretendStopped } from '../../platform/database/testing/pretend-stopped.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { browserAt, HERE } from '../sign-in/testing/browsers.ts';
import { operatorLinks, operatorSessions } from '../tables.ts';
import { OperatorSessions } from './sessions.ts';

const HOUR = 3_600_000;
let opened: TestDatabase;
let clock: ManualClock;
let sessions: OperatorSessions;

beforeEach(() => {
  opened = openTestDatabase();
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  sessions = new OperatorSessions({ database: opened.database, clock, log: createLogger('silent') });
});
afterEach(() => opened.dispose());

async function signIn() {
  const signedIn = await sessions.redeem((await sessions.createLink()).secret, browserAt(HERE));
  if (!signedIn.ok) throw new Error(signedIn.error);
  return signedIn.value;
}
const rows = () => opened.database.read.select().from(operatorSessions);

it('the book of sessions ends a session that nobody uses for twelve hours', async () => {
  const secret = await signIn();
  clock.advance(12 * HOUR - 1);
  expect(await sessions.find(secret, HERE)).toBeDefined();
  clock.advance(12 * HOUR);
  expect(await sessions.find(secret, HERE)).toBeUndefined();
});

it('the book of sessions keeps no session longer when the clock was ahead and is put right', async () => {
  clock.jump(300 * 24 * HOUR);
  const secret = await signIn();
  clock.jump(-300 * 24 * HOUR);
  expect(await sessions.find(secret, HERE)).toBeDefined();
  clock.advance(12 * HOUR);
  expect(await sessions.find(secret, HERE)).toBeUndefined();
  expect(await sessions.list()).toEqual([]);
});

it.each([0, 300])('the book of sessions ends a session in use after thirty days, also when the clock was %i days ahead', async (ahead) => {
  clock.jump(ahead * 24 * HOUR);
  const secret = await signIn();
  clock.jump(-ahead * 24 * HOUR);
  expect(await sessions.find(secret, HERE)).toBeDefined();
  for (let hours = 6; hours < 30 * 24; hours += 6) {
    clock.advance(6 * HOUR);
    expect(await sessions.find(secret, HERE)).toBeDefined();
  }
  clock.advance(6 * HOUR);
  expect(await sessions.find(secret, HERE)).toBeUndefined();
});

it('the book of sessions stores the last use at most once a minute', async () => {
  const secret = await signIn();
  const before = opened.database.stats.jobs;
  for (let second = 0; second < 59; second++) {
    clock.advance(1_000);
    await sessions.find(secret, HERE);
  }
  expect(opened.database.stats.jobs).toBe(before);
  clock.advance(1_000);
  await sessions.find(secret, HERE);
  await sessions.find(secret, HERE);
  expect(opened.database.stats.jobs).toBe(before + 1);
  expect(await rows()).toMatchObject([{ lastUsedAt: clock.now() }]);
});

it('the book of sessions keeps a session open while the database takes no writes, so that the operator can read why', async () => {
  const secret = await signIn();
  clock.advance(HOUR);
  const goOn = pretendStopped(opened.database, new Error('no more writes'));
  expect(await sessions.find(secret, HERE)).toBeDefined();
  goOn();
});

it('the book of sessions finds a session by its secret, not by the stored hash', async () => {
  const secret = await signIn();
  const [row] = await rows();
  expect(await sessions.find(secret, HERE)).toMatchObject({ id: row?.id });
  for (const wrong of [row?.secretHash ?? '', row?.pageHash ?? '', row?.id ?? '', '']) {
    expect(await sessions.find({ ...secret, cookie: wrong }, HERE)).toBeUndefined();
    expect(await sessions.find({ ...secret, page: wrong }, HERE)).toBeUndefined();
  }
});

it('the book of sessions ends one session and leaves the other', async () => {
  const [first, second] = [await signIn(), await signIn()];
  await sessions.end([(await sessions.find(first, HERE))?.id ?? '']);
  expect(await sessions.find(first, HERE)).toBeUndefined();
  expect(await sessions.find(second, HERE)).toBeDefined();
});

it('the book of sessions deletes the rows of links and sessions that are over', async () => {
  await signIn();
  await sessions.createLink();
  clock.advance(13 * HOUR);
  await signIn();
  expect(await rows()).toHaveLength(1);
  expect(await opened.database.read.select().from(operatorLinks)).toEqual([]);
});

it('the book of sessions does not find a session of a version that gave the page no secret', async () => {
  const secret = await signIn();
  await opened.database.write((tx) => tx.update(operatorSessions).set({ pageHash: '' }));
  expect(await sessions.find({ ...secret, page: '' }, HERE)).toBeUndefined();
});

it('the book of sessions lists only the sessions that count, and ends each once', async () => {
  await signIn();
  clock.advance(13 * HOUR);
  expect(await sessions.list()).toEqual([]);
  await signIn();
  const [row] = await sessions.list();
  expect(row).toMatchObject({ userAgent: 'a browser', createdAt: clock.now() });
  const ended: string[] = [];
  sessions.onEnded((id) => ended.push(id));
  expect(await sessions.end([row?.id ?? ''])).toBe(1);
  expect(await sessions.end([row?.id ?? ''])).toBe(0);
  expect(ended).toEqual([row?.id]);
});
