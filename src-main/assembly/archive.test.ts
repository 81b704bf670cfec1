import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events } from '../journal/tables.ts';
import { accountId } from '../ledger/ledger.ts';
import { archivedPackets } from '../payments/archive/tables.ts';
import { doubtRemotePayments } from '../payments/outgoing/after-copy.ts';
import { createLocalAcceptance } from '../payments/outgoing/local-money.ts';
import { UnknownPayments } from '../payments/outgoing/unknown-payments.ts';
import { incomingPayments, outgoingPayments, packets, quotes } from '../payments/tables.ts';
import { START } from '../payments/testing/two-worlds.ts';
import { receivedPackets, sentPackets } from '../peers/tables.ts';
import { filesOf } from '../platform/archive/archive.ts';
import { DAY_MS } from '../platform/retention/rule.ts';
import { ArchivingWorld, PLACES } from './testing/archiving-world.ts';

let books: ArchivingWorld;
beforeEach(async () => {
  books = await ArchivingWorld.open();
});
afterEach(() => books.close());

describe.each(PLACES)('the details of payments that ended long ago, %s', (_, shared) => {
  beforeEach(() => {
    books.inDatabase = shared;
  });

  it('go into the archive of their month, whole, and are read there', async () => {
    const [elsewhere, here] = [await books.paid(1_000n, 'elsewhere'), await books.paid(700n, 'here')];
    const before = await books.everything();
    books.world.clock.advance(89 * DAY_MS);
    expect(await books.look()).toBe(0);
    books.world.clock.advance(2 * DAY_MS);
    expect(await books.look()).toBeGreaterThan(10);

    expect(await books.everything()).toEqual(before);
    expect(await books.database.read.select().from(sentPackets)).toEqual([]);
    expect(await books.database.read.select().from(packets)).toEqual([]);
    expect(await books.database.read.select().from(archivedPackets)).toEqual([{ outgoingPaymentId: elsewhere, delivered: 1_000n }]);
    expect((await filesOf(books.database.read)).map(({ month }) => month)).toEqual(['2026-01']);
    const details = await books.detailsOf(elsewhere);
    expect(details?.problems).toEqual([]);
    expect(details?.rows.map(({ kind }) => kind).filter((kind) => kind === 'sent')).toHaveLength(4);
    expect(details?.rows[0]?.row).toMatchObject({ type: 'outgoing_payment.created', subject: elsewhere });
    expect((await books.detailsOf(here))?.rows.map(({ row }) => row.subject)).toEqual(expect.not.arrayContaining([elsewhere]));
    expect(await books.findings()).toEqual([]);
    expect(await books.look()).toBe(0);
  });

  it('leave a sum in the books whose loss the audit notices, and no sum where the operator said what arrived', async () => {
    const id = await books.paid(1_000n, 'elsewhere');
    await books.world.node.worker.stop();
    const doubted = await books.world.pay(books.world.elsewhere.invoice(500n), 500n);
    await books.database.write((tx) => doubtRemotePayments(tx, books.world.clock.now()));
    expect(await new UnknownPayments(books.world.node).resolve(doubted.id, 'arrived')).toEqual({ ok: true, value: undefined });
    expect(await books.world.read(doubted.id)).toMatchObject({ state: 'completed', delivered: 500n });
    books.world.clock.advance(91 * DAY_MS);
    await books.look();
    expect(await books.database.read.select().from(archivedPackets)).toEqual([{ outgoingPaymentId: id, delivered: 1_000n }]);
    expect(await books.findings()).toEqual([]);
    await books.database.write(async (tx) => void (await tx.delete(archivedPackets)));
    expect(await books.findings()).toEqual([{ owner: books.world.buyerId, finding: 'payment', place: id }]);
  });

  it('take their quotes with them: the payment has the price, and nobody pays with the quote again', async () => {
    const [elsewhere, here] = [await books.paid(1_000n, 'elsewhere'), await books.paid(700n, 'here')];
    const before = [await books.world.read(elsewhere), await books.world.read(here)];
    const buyer = await books.world.node.walletAddresses.byId(books.world.buyerId);
    const again = () =>
      books.world.node.outgoingPayments.createFromQuote({ walletAddress: buyer as never, right: null, quoteId: before[1]?.quoteId ?? '' });
    books.world.clock.advance(89 * DAY_MS);
    await books.look();
    expect(await books.database.read.select().from(quotes)).toHaveLength(2);
    expect(await again()).toEqual({ ok: false, error: { code: 'quote_used', outgoingPaymentId: here } });
    books.world.clock.advance(2 * DAY_MS);
    await books.look();
    expect(await books.database.read.select().from(quotes)).toEqual([]);
    expect([await books.world.read(elsewhere), await books.world.read(here)]).toEqual(before);
    expect(await again()).toEqual({ ok: false, error: { code: 'unknown_quote' } });
    expect(await books.findings()).toEqual([]);
  });

  it('leave what was asked for in the books when somebody tried to pay it', async () => {
    const shop = await books.world.node.account('shop', 0n);
    const asked = await books.world.node.incomingPayments.create({ walletAddress: shop, client: 'app', expiresAt: START + 1_000 });
    if (!asked.ok) throw new Error(asked.error);
    await books.world.node.worker.stop();
    const tried = await books.world.pay(books.world.node.urls.incomingPayment(asked.value.id), 100n);
    books.world.clock.advance(2_000);
    await books.world.restart();
    expect(await books.world.finished(tried.id)).toMatchObject({ state: 'failed', sent: 0n });
    // One event more, because the newest of all stays.
    await books.paid(100n, 'here');
    books.world.clock.advance(100 * DAY_MS);
    await books.look();
    expect(await books.database.read.select().from(quotes)).toEqual([]);
    await books.look();
    expect(await books.world.node.incomingPayments.find(asked.value.id)).toBeDefined();
  });

  it('stay while the payment can still change, and while nobody has paid what an app asked for', async () => {
    const shop = await books.world.node.account('shop', 0n);
    const open = await books.world.node.incomingPayments.create({ walletAddress: shop, client: null });
    const unpaid = await books.world.node.incomingPayments.create({ walletAddress: shop, client: 'app', expiresAt: START + DAY_MS });
    if (!open.ok || !unpaid.ok) throw new Error('not made');
    const queued = await books.world.pay(books.world.elsewhere.invoice(100n), 100n);
    await books.database.write(
      async (tx) => void (await tx.update(outgoingPayments).set({ state: 'unknown' }).where(eq(outgoingPayments.id, queued.id))),
    );
    // One event more, because the newest of all stays.
    await books.paid(100n, 'here');
    books.world.clock.advance(10 * DAY_MS);
    await books.paid(100n, 'here');
    const subjects = async () => new Set((await books.database.read.select().from(events)).map(({ subject }) => subject));
    books.world.clock.advance(85 * DAY_MS);
    await books.look();
    expect([...(await subjects())]).toEqual(expect.arrayContaining([open.value.id, queued.id]));
    await books.database.write(async (tx) => void (await tx.update(outgoingPayments).set({ state: 'sending' })));
  });

  it('leave no packet behind, however many a payment has', async () => {
    const [payment] = await books.database.read
      .select()
      .from(outgoingPayments)
      .where(eq(outgoingPayments.id, await books.paid(700n, 'here')));
    const [peer] = (await books.world.wing.registry.list({ limit: 1 })).peers;
    for (let n = 0; n < 230; n += 1) await books.received(payment?.receiverId ?? '', peer?.row.id ?? '', `c${n}`);
    await books.paid(10n, 'here');
    books.world.clock.advance(91 * DAY_MS);
    await books.look();
    expect(await books.database.read.select().from(receivedPackets)).toEqual([]);
    expect((await books.detailsOf(payment?.receiverId ?? ''))?.rows.filter(({ kind }) => kind === 'received')).toHaveLength(230);
  });

  it('hold no secret, and no bytes of packets: what was sealed or sent stays out of the archive', async () => {
    const id = await books.paid(1_000n, 'elsewhere');
    expect((await books.database.read.select().from(sentPackets)).some(({ sharedSecret }) => sharedSecret !== null)).toBe(true);
    books.world.clock.advance(91 * DAY_MS);
    await books.look();
    const rows = (await books.detailsOf(id))?.rows ?? [];
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
            const id = await books.paid(BigInt(amount), isHere ? 'here' : 'elsewhere');
            const [payment] = await books.database.read.select().from(outgoingPayments).where(eq(outgoingPayments.id, id));
            if (payment?.receiverId)
              await books.received(
                payment.receiverId,
                (await books.world.wing.registry.list({ limit: 1 })).peers[0]?.row.id ?? '',
                `c${id}`,
              );
            books.world.clock.advance(days * DAY_MS);
            const before = await books.everything();
            await books.look();
            expect(await books.everything()).toEqual(before);
            expect(await books.findings()).toEqual([]);
          }
        },
      ),
      { numRuns: 8 },
    );
  });
});

it('a packet of a payment that has ended moves no money again, when its row is gone', async () => {
  const id = await books.paid(100n, 'here');
  const [packet] = await books.database.read.select().from(packets);
  const payment = await books.world.read(id);
  const isIn = (state: 'retrying' | 'completed') => books.database.write((tx) => tx.update(outgoingPayments).set({ state }));
  books.world.clock.advance(91 * DAY_MS);
  await isIn('retrying');
  await books.look();
  expect(await books.database.read.select().from(packets), 'of a payment under way').toHaveLength(1);
  await isIn('completed');
  await books.look();
  expect(await books.database.read.select().from(packets)).toEqual([]);
  const before = await books.world.balance(accountId('customer', books.world.buyerId));
  const usd = { assetCode: 'USD', assetScale: 2 };
  for (let attempt = 0; attempt <= payment.attempt + 1; attempt++) {
    const again = await createLocalAcceptance(books.world.node)({
      condition: Buffer.from(packet?.condition ?? '', 'base64url'),
      ...{ sourceAmount: 100n, sourceAsset: usd, amount: 100n, asset: usd },
      incomingPaymentId: packet?.incomingPaymentId ?? '',
      sender: { outgoingPaymentId: id, attempt },
    });
    expect(again).toMatchObject({ ok: false });
  }
  // Also when somebody asks for more of the same payment.
  await books.database.write(async (tx) => void (await tx.update(incomingPayments).set({ completed: false, incomingAmount: null })));
  const open = await createLocalAcceptance(books.world.node)({
    condition: Buffer.from(packet?.condition ?? '', 'base64url'),
    ...{ sourceAmount: 100n, sourceAsset: usd, amount: 100n, asset: usd },
    incomingPaymentId: packet?.incomingPaymentId ?? '',
    sender: { outgoingPaymentId: id, attempt: payment.attempt },
  });
  expect(open).toEqual({ ok: false, error: 'sender_stopped' });
  expect(await books.world.balance(accountId('customer', books.world.buyerId))).toBe(before);
});
