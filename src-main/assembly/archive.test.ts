import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkIncoming } from '../audit/incoming-rules.ts';
import { checkOutgoing } from '../audit/payment-rules.ts';
import { checkPeers } from '../audit/set-aside-rules.ts';
import { events } from '../journal/tables.ts';
import { accountId, transfer } from '../ledger/ledger.ts';
import type { OperatorContext } from '../operator-api/context.ts';
import { archivedDetails } from '../operator-api/queries/payments/archived-details.ts';
import { rowOf } from '../payments/archive/archived-rows.ts';
import { paymentDetailRule } from '../payments/archive/payment-details.ts';
import { archivedPackets } from '../payments/archive/tables.ts';
import { doubtRemotePayments } from '../payments/outgoing/after-copy.ts';
import { createLocalAcceptance } from '../payments/outgoing/local-money.ts';
import { UnknownPayments } from '../payments/outgoing/unknown-payments.ts';
import { incomingPayments, outgoingPayments, packets, quotes } from '../payments/tables.ts';
import { START, TwoWorlds } from '../payments/testing/two-worlds.ts';
import { receivedPackets, sentPackets } from '../peers/tables.ts';
import { Archive, closeArchiveFiles, filesOf } from '../platform/archive/archive.ts';
import { type ArchiveSearch, readArchive } from '../platform/archive/archive-reader.ts';
import { watchFailPoints } from '../platform/fail-points.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { Retention } from '../platform/retention/retention.ts';
import { DAY_MS } from '../platform/retention/rule.ts';
import { RETENTION_RULES } from './retention.ts';

let world: TwoWorlds;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-archive-'));
  world = await TwoWorlds.open({ maxPacketAmount: 300n, peer: { creditLimit: 10_000n } });
});
afterEach(async () => {
  watchFailPoints();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const database = () => world.node.database;

/** Pays a wallet address elsewhere, or one of this node, and returns the outgoing payment's id. */
async function paid(amount: bigint, to: 'elsewhere' | 'here'): Promise<string> {
  if (to === 'elsewhere') return (await world.finished((await world.pay(world.elsewhere.invoice(amount), amount)).id)).id;
  const shop = await world.node.account(`shop${Math.random()}`, 0n);
  const made = await world.node.incomingPayments.create({
    walletAddress: shop,
    client: 'app',
    incomingAmount: { value: amount, assetCode: 'USD', assetScale: 2 },
  });
  if (!made.ok) throw new Error(made.error);
  return (await world.finished((await world.pay(world.node.urls.incomingPayment(made.value.id), amount)).id)).id;
}

/** Stores what a peer's packet leaves that brings a payment nothing. */
async function received(paymentId: string, peerId: string, condition: string): Promise<void> {
  const moved = { kind: 'payment', debit: accountId('peer', peerId), credit: accountId('exchange', 'USD/2'), amount: 5n } as const;
  const [at, sums] = [world.clock.now(), { sourceAmount: 5n, amount: 0n }];
  await database().write(async (tx) => {
    await tx.insert(receivedPackets).values({ peerId, condition, incomingPaymentId: paymentId, ...sums, reply: 'r', createdAt: at });
    expect(await transfer(tx, { ...moved, paymentId, at })).toMatchObject({ ok: true });
  });
}

/** Looks once for what goes, with all rules. @returns how many details went into the archive. */
async function look(): Promise<number> {
  const rule = paymentDetailRule(new Archive({ database: database(), folder }), 90);
  const parts = { database: database(), clock: world.clock, log: createLogger('silent') };
  const retention = new Retention({ ...parts, rules: [...RETENTION_RULES, rule], pause: async () => undefined });
  return (await retention.runOnce()).get('payment_details') ?? 0;
}

/** Everything that the books and the archive know about payments' details, each row once, in an order of its own. */
async function everything(): Promise<string[]> {
  const { read } = database();
  const text = (row: object) => JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  const stored = [
    ...(await read.select().from(events)).filter(({ type }) => /^(in|out)/.test(type)),
    ...(await read.select().from(sentPackets)).map(({ sharedSecret: _, prepare: __, ...row }) => row),
    ...(await read.select().from(receivedPackets)).map(({ reply: _, ...row }) => row),
  ];
  const files = await filesOf(read);
  const { files: answer } = await readArchive({ folder, files, search: { beginning: '{', most: Number.POSITIVE_INFINITY } });
  expect(answer.map(({ state }) => state)).toEqual(files.map(() => 'whole'));
  return [...stored, ...answer.flatMap(({ lines }) => lines.map((line) => rowOf(line).row))].map(text).toSorted();
}

async function findings() {
  const { read } = database();
  return [...(await checkOutgoing(read, '')).findings, ...(await checkIncoming(read, '')).findings, ...(await checkPeers(read))];
}

const context = (): OperatorContext =>
  ({ database: database(), readArchive: (files: never, search?: ArchiveSearch) => readArchive({ folder, files, search }) }) as never;
const detailsOf = (id: string) => archivedDetails(context(), id);

describe('the details of payments that ended long ago', () => {
  it('go into the archive of their month, whole, and are read there', async () => {
    const [elsewhere, here] = [await paid(1_000n, 'elsewhere'), await paid(700n, 'here')];
    const before = await everything();
    world.clock.advance(89 * DAY_MS);
    expect(await look()).toBe(0);
    world.clock.advance(2 * DAY_MS);
    expect(await look()).toBeGreaterThan(10);

    expect(await everything()).toEqual(before);
    expect(await database().read.select().from(sentPackets)).toEqual([]);
    expect(await database().read.select().from(packets)).toEqual([]);
    expect(await database().read.select().from(archivedPackets)).toEqual([{ outgoingPaymentId: elsewhere, delivered: 1_000n }]);
    expect((await filesOf(database().read)).map(({ month }) => month)).toEqual(['2026-01']);
    const details = await detailsOf(elsewhere);
    expect(details?.problems).toEqual([]);
    expect(details?.rows.map(({ kind }) => kind).filter((kind) => kind === 'sent')).toHaveLength(4);
    expect(details?.rows[0]?.row).toMatchObject({ type: 'outgoing_payment.created', subject: elsewhere });
    expect((await detailsOf(here))?.rows.map(({ row }) => row.subject)).toEqual(expect.not.arrayContaining([elsewhere]));
    expect(await findings()).toEqual([]);
    expect(await look()).toBe(0);
  });

  it('leave a sum in the books whose loss the audit notices, and no sum where the operator said what arrived', async () => {
    const id = await paid(1_000n, 'elsewhere');
    await world.node.worker.stop();
    const doubted = await world.pay(world.elsewhere.invoice(500n), 500n);
    await database().write((tx) => doubtRemotePayments(tx, world.clock.now()));
    expect(await new UnknownPayments(world.node).resolve(doubted.id, 'arrived')).toEqual({ ok: true, value: undefined });
    expect(await world.read(doubted.id)).toMatchObject({ state: 'completed', delivered: 500n });
    world.clock.advance(91 * DAY_MS);
    await look();
    expect(await database().read.select().from(archivedPackets)).toEqual([{ outgoingPaymentId: id, delivered: 1_000n }]);
    expect(await findings()).toEqual([]);
    await database().write(async (tx) => void (await tx.delete(archivedPackets)));
    expect(await findings()).toEqual([{ owner: world.buyerId, finding: 'payment', place: id }]);
  });

  it('take their quotes with them: the payment has the price, and nobody pays with the quote again', async () => {
    const [elsewhere, here] = [await paid(1_000n, 'elsewhere'), await paid(700n, 'here')];
    const before = [await world.read(elsewhere), await world.read(here)];
    const buyer = await world.node.walletAddresses.byId(world.buyerId);
    const again = () =>
      world.node.outgoingPayments.createFromQuote({ walletAddress: buyer as never, right: null, quoteId: before[1]?.quoteId ?? '' });
    world.clock.advance(89 * DAY_MS);
    await look();
    expect(await database().read.select().from(quotes)).toHaveLength(2);
    expect(await again()).toEqual({ ok: false, error: { code: 'quote_used', outgoingPaymentId: here } });
    world.clock.advance(2 * DAY_MS);
    await look();
    expect(await database().read.select().from(quotes)).toEqual([]);
    expect([await world.read(elsewhere), await world.read(here)]).toEqual(before);
    expect(await again()).toEqual({ ok: false, error: { code: 'unknown_quote' } });
    expect(await findings()).toEqual([]);
  });

  it('leave what was asked for in the books when somebody tried to pay it', async () => {
    const shop = await world.node.account('shop', 0n);
    const asked = await world.node.incomingPayments.create({ walletAddress: shop, client: 'app', expiresAt: START + 1_000 });
    if (!asked.ok) throw new Error(asked.error);
    await world.node.worker.stop();
    const tried = await world.pay(world.node.urls.incomingPayment(asked.value.id), 100n);
    world.clock.advance(2_000);
    await world.restart();
    expect(await world.finished(tried.id)).toMatchObject({ state: 'failed', sent: 0n });
    // One event more, because the newest of all stays.
    await paid(100n, 'here');
    world.clock.advance(100 * DAY_MS);
    await look();
    expect(await database().read.select().from(quotes)).toEqual([]);
    await look();
    expect(await world.node.incomingPayments.find(asked.value.id)).toBeDefined();
  });

  it('stay while the payment can still change, and while nobody has paid what an app asked for', async () => {
    const shop = await world.node.account('shop', 0n);
    const open = await world.node.incomingPayments.create({ walletAddress: shop, client: null });
    const unpaid = await world.node.incomingPayments.create({ walletAddress: shop, client: 'app', expiresAt: START + DAY_MS });
    if (!open.ok || !unpaid.ok) throw new Error('not made');
    const queued = await world.pay(world.elsewhere.invoice(100n), 100n);
    await database().write(
      async (tx) => void (await tx.update(outgoingPayments).set({ state: 'unknown' }).where(eq(outgoingPayments.id, queued.id))),
    );
    // One event more, because the newest of all stays.
    await paid(100n, 'here');
    world.clock.advance(10 * DAY_MS);
    await paid(100n, 'here');
    const subjects = async () => new Set((await database().read.select().from(events)).map(({ subject }) => subject));
    world.clock.advance(85 * DAY_MS);
    await look();
    expect([...(await subjects())]).toEqual(expect.arrayContaining([open.value.id, queued.id]));
    await database().write(async (tx) => void (await tx.update(outgoingPayments).set({ state: 'sending' })));
  });

  it('leave no packet behind, however many a payment has', async () => {
    const [payment] = await database()
      .read.select()
      .from(outgoingPayments)
      .where(eq(outgoingPayments.id, await paid(700n, 'here')));
    const [peer] = (await world.wing.registry.list({ limit: 1 })).peers;
    for (let n = 0; n < 230; n += 1) await received(payment?.receiverId ?? '', peer?.row.id ?? '', `c${n}`);
    await paid(10n, 'here');
    world.clock.advance(91 * DAY_MS);
    await look();
    expect(await database().read.select().from(receivedPackets)).toEqual([]);
    expect((await detailsOf(payment?.receiverId ?? ''))?.rows.filter(({ kind }) => kind === 'received')).toHaveLength(230);
  });

  it('hold no secret, and no bytes of packets: what was sealed or sent stays out of the archive', async () => {
    const id = await paid(1_000n, 'elsewhere');
    expect((await database().read.select().from(sentPackets)).some(({ sharedSecret }) => sharedSecret !== null)).toBe(true);
    world.clock.advance(91 * DAY_MS);
    await look();
    const rows = (await detailsOf(id))?.rows ?? [];
    const columns = rows.filter(({ kind }) => kind === 'sent').flatMap(({ row }) => Object.keys(row));
    expect(columns).toEqual(expect.arrayContaining(['condition', 'sourceAmount', 'delivered']));
    expect(columns.filter((name) => ['sharedSecret', 'prepare', 'reply'].includes(name))).toEqual([]);
  });

  it('keep every sum, whatever is archived in whatever batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 900 }), fc.boolean(), fc.integer({ min: 0, max: 60 })), { maxLength: 5 }),
        async (list) => {
          for (const [amount, isHere, days] of list) {
            const id = await paid(BigInt(amount), isHere ? 'here' : 'elsewhere');
            const [payment] = await database().read.select().from(outgoingPayments).where(eq(outgoingPayments.id, id));
            if (payment?.receiverId)
              await received(payment.receiverId, (await world.wing.registry.list({ limit: 1 })).peers[0]?.row.id ?? '', `c${id}`);
            world.clock.advance(days * DAY_MS);
            const before = await everything();
            await look();
            expect(await everything()).toEqual(before);
            expect(await findings()).toEqual([]);
          }
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('the archive', () => {
  it('loses and doubles nothing when the node dies at any step of a batch', async () => {
    await paid(1_000n, 'elsewhere');
    await paid(700n, 'here');
    const before = await everything();
    world.clock.advance(91 * DAY_MS);
    const steps: number[] = [];
    for (let nth = 1; nth < 10; nth++) {
      let passed = 0;
      // A dead node passes nothing more.
      watchFailPoints((point) => {
        if (point !== 'archive-step') return;
        passed += 1;
        if (passed >= nth) throw new Error('the node died');
      });
      const removed = await look();
      watchFailPoints();
      expect(await everything()).toEqual(before);
      expect(await findings()).toEqual([]);
      steps.push(removed);
      if (removed > 0) break;
    }
    // The file is in the books, written, on the disk, and noted.
    expect(steps.length).toBeGreaterThanOrEqual(4);
    expect(steps.at(-1)).toBeGreaterThan(0);
  });

  it('says which of its files is damaged or missing, and goes on in another one', async () => {
    const id = await paid(1_000n, 'elsewhere');
    await paid(10n, 'elsewhere');
    world.clock.advance(91 * DAY_MS);
    await look();
    const [file] = await filesOf(database().read);
    if (file === undefined) throw new Error('nothing was archived');
    const path = join(folder, `${file.id}.archive`);
    const whole = readFileSync(path);
    const problems = async () => (await detailsOf(id))?.problems;
    for (const at of [0, 20, whole.length - 1]) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(path, changed);
      expect(await problems()).toEqual([{ file: file.id, state: 'damaged' }]);
    }
    writeFileSync(path, whole.subarray(0, -10));
    expect(await problems()).toEqual([{ file: file.id, state: 'damaged' }]);
    rmSync(path);
    expect(await problems()).toEqual([{ file: file.id, state: 'missing' }]);
    expect((await detailsOf(id))?.rows).toEqual([]);

    // Of the same month, and archived later.
    await database().write(
      async (tx) =>
        void (await tx.insert(events).values({ position: 9_000n, type: 'outgoing_payment.sent', subject: id, body: {}, at: START })),
    );
    await paid(10n, 'elsewhere');
    await look();
    const files = await filesOf(database().read);
    expect(files.map(({ month, closed }) => [month, closed])).toEqual(
      expect.arrayContaining([
        ['2026-01', true],
        ['2026-01', false],
      ]),
    );
    expect((await detailsOf(id))?.rows.map(({ row }) => row.position)).toEqual(['9000']);
  });

  it('goes past what a clock far ahead has written', async () => {
    const ahead = Array.from({ length: 250 }, (_, n) => ({ position: 5_000n + BigInt(n), at: START + 400 * DAY_MS }));
    await database().write(async (tx) => {
      for (const one of ahead) await tx.insert(events).values({ ...one, type: 'outgoing_payment.sent', subject: 'of-then', body: {} });
    });
    const id = await paid(1_000n, 'here');
    await paid(10n, 'here');
    world.clock.advance(91 * DAY_MS);
    await look();
    expect((await detailsOf(id))?.rows.length).toBeGreaterThan(0);
    expect((await database().read.select().from(events)).filter(({ subject }) => subject === 'of-then')).toHaveLength(250);
  });

  it('reads a file however long it is, a piece at a time', async () => {
    const id = await paid(1_000n, 'elsewhere');
    await paid(10n, 'elsewhere');
    world.clock.advance(91 * DAY_MS);
    await look();
    const [file] = await filesOf(database().read);
    // What stands behind the known end belongs to nobody. It takes no room on the disk.
    truncateSync(join(folder, `${file?.id}.archive`), 2 ** 31 + 10);
    const details = await detailsOf(id);
    expect(details?.problems).toEqual([]);
    expect(details?.rows.length).toBeGreaterThan(0);
  });

  it('leaves the files of books that were replaced as they are', async () => {
    await paid(1_000n, 'elsewhere');
    world.clock.advance(91 * DAY_MS);
    await look();
    const [file] = await filesOf(database().read);
    if (file === undefined) throw new Error('nothing was archived');
    const path = join(folder, `${file.id}.archive`);
    // What the replaced books archived after the copy was made.
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(99, 1)]));
    const bytes = readFileSync(path);
    await database().write(closeArchiveFiles);
    await paid(500n, 'elsewhere');
    world.clock.advance(91 * DAY_MS);
    await look();
    expect(readFileSync(path)).toEqual(bytes);
    expect((await filesOf(database().read)).map(({ month }) => month)).toEqual(['2026-01', '2026-01', '2026-04']);
    await everything();
  });

  it('belongs to its owner only, and shows nothing to whoever has the files without the books', async () => {
    const id = await paid(1_000n, 'elsewhere');
    world.clock.advance(91 * DAY_MS);
    await look();
    const [file] = await filesOf(database().read);
    const path = join(folder, `${file?.id}.archive`);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(readFileSync(path).includes(id)).toBe(false);
    expect(readFileSync(path).length).toBe(file?.bytes);
  });
});

it('a packet of a payment that has ended moves no money again, when its row is gone', async () => {
  const id = await paid(100n, 'here');
  const [packet] = await database().read.select().from(packets);
  const payment = await world.read(id);
  const isIn = (state: 'retrying' | 'completed') => database().write((tx) => tx.update(outgoingPayments).set({ state }));
  world.clock.advance(91 * DAY_MS);
  await isIn('retrying');
  await look();
  expect(await database().read.select().from(packets), 'of a payment under way').toHaveLength(1);
  await isIn('completed');
  await look();
  expect(await database().read.select().from(packets)).toEqual([]);
  const before = await world.balance(accountId('customer', world.buyerId));
  const usd = { assetCode: 'USD', assetScale: 2 };
  for (let attempt = 0; attempt <= payment.attempt + 1; attempt++) {
    const again = await createLocalAcceptance(world.node)({
      condition: Buffer.from(packet?.condition ?? '', 'base64url'),
      ...{ sourceAmount: 100n, sourceAsset: usd, amount: 100n, asset: usd },
      incomingPaymentId: packet?.incomingPaymentId ?? '',
      sender: { outgoingPaymentId: id, attempt },
    });
    expect(again).toMatchObject({ ok: false });
  }
  // Also when somebody asks for more of the same payment.
  await database().write(async (tx) => void (await tx.update(incomingPayments).set({ completed: false, incomingAmount: null })));
  const open = await createLocalAcceptance(world.node)({
    condition: Buffer.from(packet?.condition ?? '', 'base64url'),
    ...{ sourceAmount: 100n, sourceAsset: usd, amount: 100n, asset: usd },
    incomingPaymentId: packet?.incomingPaymentId ?? '',
    sender: { outgoingPaymentId: id, attempt: payment.attempt },
  });
  expect(open).toEqual({ ok: false, error: 'sender_stopped' });
  expect(await world.balance(accountId('customer', world.buyerId))).toBe(before);
});
