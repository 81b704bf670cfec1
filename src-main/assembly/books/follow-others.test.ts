import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClientTiers } from '../../access/clients/client-tiers.ts';
import { AuditBook } from '../../audit/audit-book.ts';
import { EventFeed } from '../../journal/events.ts';
import { ManualClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { followOthers } from './follow-others.ts';

const URL = 'https://shop.example/till';
const APP = { kind: 'wallet-address', id: URL, walletAddress: URL } as const;

let test: TestDatabase;
let events: EventFeed;
beforeEach(() => {
  test = openTestDatabase();
  events = new EventFeed({ database: test.database, log: createLogger('silent') });
});
afterEach(async () => {
  await events.close();
  await test.dispose();
});

it('an app that the operator trusts at one replica is trusted at the others when they hear of it', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const open = () => new ClientTiers({ database: test.database, clock, urls: new PublicUrls('https://pay.example'), clientRate: 0 });
  const [here, there] = [open(), open()];
  const directory = { reload: vi.fn(async () => undefined) };
  const lock = { hear: vi.fn(async () => undefined) };
  const audit = { load: vi.fn(async () => undefined) };
  await followOthers({ events, directory, lock, tiers: there, audit, log: createLogger('silent') });
  expect(await there.tierOf(APP)).toBe('stranger');
  await here.choose(APP.id, 'trusted');
  // The clock stands still, so that what is remembered never gets old.
  await expect.poll(() => there.tierOf(APP)).toBe('trusted');
  expect([directory.reload, lock.hear].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});

it('damage in the books that one replica has found is known to the others when they hear of it', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const open = () => new AuditBook({ database: test.database, clock, log: createLogger('silent') });
  const [here, there] = [open(), open()];
  const unused = { reload: vi.fn(async () => undefined), hear: vi.fn(async () => undefined), forgetAll: vi.fn() };
  await followOthers({ events, directory: unused, lock: unused, tiers: unused, audit: there, log: createLogger('silent') });
  await here.take({ findings: [{ owner: 'alice', finding: 'balance', place: 'customer:alice' }] });
  await expect.poll(() => there.damages.map(({ owner }) => owner)).toEqual(['alice']);
});
