import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { appendEvent } from '../../journal/events.ts';
import { events } from '../../journal/tables.ts';
import { receivedPackets } from '../../peers/tables.ts';
import { Archive, filesOf } from '../../platform/archive/archive.ts';
import { readArchive } from '../../platform/archive/archive-reader.ts';
import type { Place } from '../../platform/database/places.ts';
import { watchFailPoints } from '../../platform/fail-points.ts';
import { AT_ONCE, DAY_MS } from '../../platform/retention/rule.ts';
import { findIncomingPayment, receive } from '../incoming/incoming-payments.ts';
import { REFUND_FAILED } from '../refunds/refund-rows.ts';
import { incomingPayments } from '../tables.ts';
import { PEER, TwoWorlds } from '../testing/two-worlds.ts';
import { rowOf } from './archived-rows.ts';
import { paymentDetailRule } from './payment-details.ts';

let world: TwoWorlds;
let folder: string;
let rule: ReturnType<typeof paymentDetailRule>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-archive-'));
  world = await TwoWorlds.open();
  rule = paymentDetailRule(new Archive({ database: database(), folder }), 90);
});
afterEach(async () => {
  watchFailPoints();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const database = () => world.node.database;

async function openPayment(client: string | null = 'app'): Promise<string> {
  const walletAddress = await world.node.account(`shop${Math.random()}`, 0n);
  const made = await world.node.incomingPayments.create({ walletAddress, client });
  if (!made.ok) throw new Error(made.error);
  return made.value.id;
}

/** Takes packets of a peer, as the node does, one a second. */
async function take(id: string, packets: number, amount = 1n): Promise<void> {
  const times = Array.from({ length: packets }, (_, n) => world.clock.now() + (n + 1) * 1_000);
  world.clock.advance(packets * 1_000);
  const packet = { peerId: PEER, incomingPaymentId: id, sourceAmount: 1n, amount, reply: 'r' };
  await database().write(async (tx) => {
    for (const at of times) {
      await tx.insert(receivedPackets).values({ ...packet, condition: `${id} ${at}`, createdAt: at });
      const payment = await findIncomingPayment(tx, id);
      if (amount > 0n && payment !== undefined) await receive(tx, payment, amount, at);
    }
  });
}

/** One event more, because the newest of all stays. */
const oneMore = () => openPayment();

/** One round of batches. @returns how many rows went, and how many batches that took. */
async function round(): Promise<{ removed: number; batches: number }> {
  let [removed, batches] = [0, 0];
  let place: Place | undefined;
  for (let more = true; more; batches += 1) {
    const batch = await rule.removeSome(database(), world.clock.now() - rule.keptMs, place);
    [removed, more, place] = [removed + batch.removed, batch.more, batch.place];
  }
  return { removed, batches };
}

/** How many rows the books have of a payment, and how many each month of the archive has. */
async function whereIs(id: string) {
  const { read } = database();
  const left = [
    ...(await read.select().from(events)).filter(({ subject }) => subject === id),
    ...(await read.select().from(receivedPackets)).filter(({ incomingPaymentId }) => incomingPaymentId === id),
  ].length;
  const files = await filesOf(read);
  const answer = await readArchive({ folder, files, search: { beginning: '{', most: Number.POSITIVE_INFINITY } });
  const rows = answer.files.map(({ lines }, n) => [files[n]?.month, lines.map(rowOf).filter(({ payment }) => payment === id).length]);
  return { left, archived: Object.fromEntries(rows) as Record<string, number> };
}

it('the old details of a payment that is still open go, each into the file of its month, and the newest ones stay', async () => {
  const id = await openPayment();
  await take(id, 150);
  world.clock.advance(45 * DAY_MS);
  await take(id, 120);
  await oneMore();
  world.clock.advance(46 * DAY_MS);
  await round();
  // The beginning and the first packets with their events. The others are 46 days old.
  expect(await whereIs(id)).toEqual({ left: 240, archived: { '2026-01': 301 } });
  world.clock.advance(45 * DAY_MS);
  await round();
  // The newest packet goes, and what happened last stays.
  expect(await whereIs(id)).toEqual({ left: 1, archived: { '2026-01': 301, '2026-02': 239 } });
});

it('what stays of an open payment leads to packets without an event, once nothing more can come', async () => {
  const id = await openPayment();
  await take(id, 2);
  await oneMore();
  await take(id, 3, 0n);
  world.clock.advance(91 * DAY_MS);
  await round();
  expect(await whereIs(id)).toEqual({ left: 4, archived: { '2026-01': 4 } });
  const expiresAt = world.clock.now();
  await database().write(async (tx) => void (await tx.update(incomingPayments).set({ expiresAt }).where(eq(incomingPayments.id, id))));
  await oneMore();
  world.clock.advance(91 * DAY_MS);
  await round();
  expect((await whereIs(id)).left).toBe(0);
});

it('a refund that failed stays, because the next closing of the day counts it', async () => {
  const id = await openPayment();
  await take(id, 2);
  await database().write((tx) => appendEvent(tx, { type: REFUND_FAILED, subject: id, body: {}, at: world.clock.now() }));
  const expiresAt = world.clock.now();
  await database().write(async (tx) => void (await tx.update(incomingPayments).set({ expiresAt }).where(eq(incomingPayments.id, id))));
  await oneMore();
  world.clock.advance(91 * DAY_MS);
  await round();
  const left = (await database().read.select().from(events)).filter(({ subject }) => subject === id);
  expect(left.map(({ type }) => type)).toEqual([REFUND_FAILED]);
});

it('an open payment to which nothing has come keeps its beginning', async () => {
  const ids = [await openPayment(), await openPayment(null)];
  await oneMore();
  world.clock.advance(91 * DAY_MS);
  expect(await round()).toMatchObject({ removed: 0 });
  for (const id of ids) expect(await whereIs(id)).toEqual({ left: 1, archived: {} });
});

it('a second round goes on where the first one has ended, and a day later everything is looked at again', async () => {
  // What stays: an open payment without money, and events that belong to no payment, which have a rule of their own.
  const unpaid = await openPayment();
  const at = world.clock.now();
  await database().write(async (tx) => {
    for (let n = 0; n < 4 * AT_ONCE; n += 1) await appendEvent(tx, { type: 'grant.issued', subject: `grant ${n}`, body: {}, at });
  });
  const id = await openPayment();
  await take(id, 3 * AT_ONCE);
  world.clock.advance(91 * DAY_MS);
  await take(id, 3 * AT_ONCE);
  expect((await round()).batches).toBeGreaterThan(7);
  expect(await round()).toEqual({ removed: 0, batches: 1 });

  // The payment that stayed behind ends.
  await take(unpaid, 1);
  world.clock.advance(DAY_MS);
  const later = await round();
  expect(later.removed).toBe(1);
  expect(later.batches).toBeGreaterThan(3);
  expect(await whereIs(unpaid)).toMatchObject({ archived: { '2026-01': 1 } });
});

it('a node that dies at any step while a payment is open loses and doubles nothing', async () => {
  const id = await openPayment();
  await take(id, 5);
  await oneMore();
  world.clock.advance(91 * DAY_MS);
  for (let nth = 1; nth < 10; nth += 1) {
    let passed = 0;
    watchFailPoints((point) => {
      if (point === 'archive-step' && ++passed >= nth) throw new Error('the node died');
    });
    const went = await round().then(
      ({ removed }) => removed,
      () => 0,
    );
    watchFailPoints();
    const { left, archived } = await whereIs(id);
    expect(left + (archived['2026-01'] ?? 0)).toBe(11);
    if (went > 0) break;
  }
  expect((await whereIs(id)).left).toBe(1);
});
