import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_MOVED } from '../../../src-shared/amounts.ts';
import type { EventType } from '../../../src-shared/event-types.ts';
import type { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import type { HealthCheck } from '../../../src-shared/operator-contract/health-checks.ts';
import { healthText } from '../../../src-shared/words/health.ts';
import { paymentFailureText } from '../../../src-shared/words/payment-failures.ts';
import { appendEvent } from '../../journal/events.ts';
import { countEarlierQuarters } from '../../ledger/days.ts';
import { ledgerAccounts } from '../../ledger/tables.ts';
import { outgoingPayments } from '../../payments/tables.ts';
import { ORIGIN } from '../../payments/testing/payments.ts';
import { DatabaseStopped } from '../../platform/database/database.ts';
import { pretendStopped } from '../../platform/database/testing/pretend-stopped.ts';
import { changeShop } from '../../shop/shop.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { findAccount, listAccounts, listMovements } from './accounts.ts';
import { overview } from './health/overview.ts';
import { paymentDetail } from './payments/payment-detail.ts';
import { fromCursor } from './places.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
let desk: Desk;
let shop: WalletAddress;
let buyer: WalletAddress;

beforeEach(async () => {
  desk = openDesk();
  shop = await desk.account('shop', 0n);
  desk.clock.advance(1);
  buyer = await desk.account('buyer', 1_000n);
});
afterEach(() => desk.close());

async function pay(amount: bigint): Promise<{ incomingId: string; outgoingId: string }> {
  const incoming = await desk.incomingPayments.create({
    walletAddress: shop,
    client: 'https://shop.example/till',
    incomingAmount: { value: amount, ...USD },
    metadata: { description: 'Two coffees', externalRef: 7 },
  });
  if (!incoming.ok) throw new Error(incoming.error);
  const outgoing = await desk.outgoingPayments.createFromIncomingPayment({
    walletAddress: buyer,
    right: null,
    incomingPayment: `${ORIGIN}/incoming-payments/${incoming.value.id}`,
    debitAmount: { value: amount, ...USD },
  });
  if (!outgoing.ok) throw new Error(outgoing.error.code);
  return { incomingId: incoming.value.id, outgoingId: outgoing.value.id };
}

/** Makes a payment that stays under way, because the worker has stopped. */
async function payUnfinished(amount: bigint) {
  await desk.worker.stop();
  return await pay(amount);
}

async function paid(amount: bigint) {
  const ids = await pay(amount);
  await desk.finished(ids.outgoingId);
  return ids;
}

/** A check in the words that the operator reads. */
const told = (check: HealthCheck | undefined) => check && { state: check.state, words: healthText(check) };

describe('a payment in detail', () => {
  it('shows both sides of a local payment, with what happened to each', async () => {
    const { incomingId, outgoingId } = await paid(300n);
    const incoming = await paymentDetail(desk.context, incomingId);
    expect(incoming).toMatchObject({
      direction: 'in',
      status: 'paid',
      accountName: 'shop',
      amount: { value: 300n, ...USD },
      progress: { value: 300n, ...USD },
      description: 'Two coffees',
      reference: null,
      client: 'https://shop.example/till',
      url: `${ORIGIN}/incoming-payments/${incomingId}`,
      walletAddress: `${ORIGIN}/shop`,
      metadata: { description: 'Two coffees', externalRef: 7 },
      receiver: null,
      failure: null,
    });
    expect(incoming?.timeline.map(({ type }) => type)).toEqual(['incoming_payment.created', 'incoming_payment.completed']);
    const outgoing = await paymentDetail(desk.context, outgoingId);
    expect(outgoing).toMatchObject({
      direction: 'out',
      status: 'completed',
      progress: { value: 300n, ...USD },
      delivered: { value: 300n, ...USD },
      receiver: `${ORIGIN}/incoming-payments/${incomingId}`,
      client: null,
      grantId: null,
    });
    expect(outgoing?.timeline.at(-1)).toMatchObject({ type: 'outgoing_payment.completed', body: { sent: '300' } });
    expect(outgoing?.packets).toBeGreaterThan(0);
    expect(incoming?.packets).toBe(outgoing?.packets);
  });

  it('has one timeline entry for the packets between two other events', async () => {
    const { incomingId } = await payUnfinished(300n);
    const at = desk.clock.now();
    const happen = (type: EventType, body: Record<string, string>) =>
      desk.database.write((tx) => appendEvent(tx, { type, subject: incomingId, body, at }));
    for (let n = 1; n <= 510; n++) await happen('incoming_payment.received', { amount: '1', received: String(n) });
    await happen('incoming_payment.completed', { received: '510', by: 'operator' });
    const detail = await paymentDetail(desk.context, incomingId);
    expect(detail?.packets).toBe(510);
    expect(detail?.timeline).toMatchObject([
      { type: 'incoming_payment.created', events: 1 },
      { type: 'incoming_payment.received', events: 510, body: { received: '510' } },
      { type: 'incoming_payment.completed', events: 1, body: { by: 'operator' } },
    ]);
  });

  it('shows the beginning and the newest entries of a very long timeline', async () => {
    const { incomingId } = await payUnfinished(300n);
    const at = desk.clock.now();
    for (let n = 1; n <= 130; n++)
      await desk.database.write((tx) =>
        appendEvent(tx, { type: 'incoming_payment.noted', subject: incomingId, body: { n: String(n) }, at }),
      );
    const timeline = (await paymentDetail(desk.context, incomingId))?.timeline ?? [];
    expect(timeline).toHaveLength(100);
    expect(timeline[0]?.type).toBe('incoming_payment.created');
    expect([timeline[1], timeline.at(-1)]).toMatchObject([{ body: { n: '32' } }, { body: { n: '130' } }]);
  });

  it('says in words why a payment failed', async () => {
    const { outgoingId } = await payUnfinished(300n);
    const fail = (failure: string) =>
      desk.database.write(async (tx) => {
        await tx.update(outgoingPayments).set({ state: 'failed', failure }).where(eq(outgoingPayments.id, outgoingId));
      });
    await fail('receiver_closed');
    expect(await paymentDetail(desk.context, outgoingId)).toMatchObject({ status: 'failed', failure: { code: 'receiver_closed' } });
    expect(paymentFailureText('receiver_closed')).toContain('takes no more money');
    await fail('written_by_a_newer_version');
    const newer = (await paymentDetail(desk.context, outgoingId))?.failure?.code;
    expect(newer && paymentFailureText(newer)).toContain('does not know');
  });

  it('is undefined for an id that no payment has', async () => {
    expect(await paymentDetail(desk.context, randomUUID())).toBeUndefined();
  });
});

const allAccounts = async () => (await listAccounts(desk.context, { limit: 100, order: 'oldest' })).items;

describe('accounts', () => {
  it('show what can be spent and what is set aside', async () => {
    await payUnfinished(300n);
    expect(await allAccounts()).toMatchObject([
      { name: 'shop', walletAddress: `${ORIGIN}/shop`, balance: 0n, reserved: 0n },
      { name: 'buyer', balance: 700n, reserved: 300n },
    ]);
    expect(await findAccount(desk.context, buyer.id)).toMatchObject({ balance: 700n, reserved: 300n });
    expect(await findAccount(desk.context, randomUUID())).toBeUndefined();
  });

  it('keep a book whose lines add up to the balance', async () => {
    desk.clock.advance(1);
    const { incomingId, outgoingId } = await paid(300n);
    desk.clock.advance(1);
    await desk.walletAddresses.move({ id: randomUUID(), kind: 'withdrawal', walletAddressId: shop.id, amount: 100n, note: 'To the bank' });
    const book = async (of: WalletAddress) =>
      (await listMovements(desk.database.read, { accountId: of.id, from: undefined, limit: 50 })).items;
    expect(await book(shop)).toMatchObject([
      { kind: 'withdrawal', change: -100n, note: 'To the bank', paymentId: null },
      { kind: 'received', change: 300n, paymentId: incomingId, note: 'Two coffees', other: 'buyer' },
    ]);
    expect(await book(buyer)).toMatchObject([
      { kind: 'sent', change: -300n, paymentId: outgoingId, note: 'Two coffees', other: 'shop' },
      { kind: 'deposit', change: 1_000n, note: 'Opening balance' },
    ]);
    for (const account of await allAccounts()) {
      const { items } = await listMovements(desk.database.read, { accountId: account.id, from: undefined, limit: 50 });
      expect(items.reduce((sum, { change }) => sum + change, 0n)).toBe(account.balance);
    }
  });

  it('have a line in their book for money that is held, until it moves', async () => {
    desk.clock.advance(1);
    const { outgoingId } = await payUnfinished(300n);
    const book = async () => (await listMovements(desk.database.read, { accountId: buyer.id, from: undefined, limit: 50 })).items;
    expect((await book())[0]).toMatchObject({ kind: 'reserved', change: -300n, paymentId: outgoingId });
    const held = (await book()).reduce((sum, { change }) => sum + change, 0n);
    expect(held).toBe((await findAccount(desk.context, buyer.id))?.balance);
    expect((await listMovements(desk.database.read, { accountId: shop.id, from: undefined, limit: 50 })).items).toEqual([]);
  });

  it('give their book page by page', async () => {
    for (let n = 1n; n <= 7n; n++) {
      if (n % 2n === 0n) desk.clock.advance(1);
      const [kind, amount] = n % 3n === 0n ? (['withdrawal', 1n] as const) : (['deposit', n] as const);
      await desk.walletAddresses.move({ id: randomUUID(), kind, walletAddressId: buyer.id, amount, note: '' });
    }
    const whole = await listMovements(desk.database.read, { accountId: buyer.id, from: undefined, limit: 50 });
    expect(whole).toMatchObject({ nextCursor: null, items: { length: 8 } });
    const pages: string[] = [];
    let from = undefined as ReturnType<typeof fromCursor>;
    for (let page = 0; page < 3; page++) {
      const part = await listMovements(desk.database.read, { accountId: buyer.id, from, limit: 3 });
      pages.push(...part.items.map(({ id }) => id));
      from = part.nextCursor === null ? undefined : fromCursor(part.nextCursor);
    }
    expect(pages).toEqual(whole.items.map(({ id }) => id));
    expect(from).toBeUndefined();
  });
});

describe('the overview', () => {
  beforeEach(() => desk.database.write((tx) => changeShop(tx, { timeZone: 'UTC' })));

  it('sums up money and the day for each currency', async () => {
    await paid(300n);
    await desk.account('euros', 50n, 'EUR');
    const { incomingId } = await paid(200n);
    expect(incomingId).toBeTruthy();
    expect(await overview(desk.context)).toMatchObject({
      now: new Date(desk.clock.now()),
      balances: [
        { assetCode: 'USD', assetScale: 2, value: 1_000n, reserved: 0n },
        { assetCode: 'EUR', assetScale: 2, value: 50n, reserved: 0n },
      ],
      today: [
        { assetCode: 'USD', received: 500n, sent: 500n },
        { assetCode: 'EUR', received: 0n, sent: 0n },
      ],
      paymentsUnderWay: 0,
      failedToday: 0,
      waitingApprovals: 0,
    });
    desk.clock.advance(24 * 3_600_000);
    const { today, history } = await overview(desk.context);
    expect(today).toMatchObject([{ received: 0n, sent: 0n }, { received: 0n }]);
    const yesterday = { day: '2026-01-01', received: 500n, sent: 500n };
    expect(history).toEqual({
      firstDay: '2025-12-04',
      days: 30,
      assets: [
        { assetCode: 'USD', assetScale: 2, days: [yesterday] },
        { assetCode: 'EUR', assetScale: 2, days: [] },
      ],
    });
    desk.clock.advance(29 * 24 * 3_600_000);
    expect((await overview(desk.context)).history.assets).toMatchObject([{ days: [] }, { days: [] }]);
  });

  it('counts the days of the shop, wherever the computer is', async () => {
    const today = async () => (await overview(desk.context)).today.map(({ received }) => received);
    await paid(300n);
    desk.clock.advance(Date.UTC(2026, 0, 1, 15) - desk.clock.now() - 1);
    expect(await today()).toEqual([300n]);
    // In Tokyo it is one millisecond before midnight.
    await desk.database.write((tx) => changeShop(tx, { timeZone: 'Asia/Tokyo' }));
    expect(await today()).toEqual([300n]);
    desk.clock.advance(1);
    expect(await today()).toEqual([0n]);
    await paid(200n);
    expect(await today()).toEqual([200n]);
    expect((await overview(desk.context)).history.assets[0]?.days.map(({ day }) => day)).toEqual(['2026-01-01', '2026-01-02']);
    await desk.database.write((tx) => changeShop(tx, { timeZone: 'UTC' }));
    expect(await today()).toEqual([500n]);
  });

  it('begins with the currency of the first account, whatever the others are called', async () => {
    desk.clock.advance(1);
    await desk.account('vault', 1n, 'BTC');
    await desk.account('till', 1n, 'AUD');
    const { balances, today, history } = await overview(desk.context);
    for (const assets of [balances, today, history.assets]) {
      expect(assets.map(({ assetCode }) => assetCode)).toEqual(['USD', 'AUD', 'BTC']);
    }
  });

  it('counts what is under way and what failed today', async () => {
    const { outgoingId } = await payUnfinished(300n);
    expect(await overview(desk.context)).toMatchObject({
      balances: [{ value: 700n, reserved: 300n }],
      paymentsUnderWay: 1,
      failedToday: 0,
    });
    await desk.database.write(async (tx) => {
      await tx.update(outgoingPayments).set({ state: 'unknown' }).where(eq(outgoingPayments.id, outgoingId));
    });
    const { health, ...counts } = await overview(desk.context);
    expect(counts).toMatchObject({ paymentsUnderWay: 0, paymentsUnknown: 1, failedToday: 0 });
    expect(told(health.find(({ name }) => name === 'payments'))).toMatchObject({
      state: 'warning',
      words: expect.stringContaining('One payment needs you'),
    });
    await desk.database.write(async (tx) => {
      await tx.update(outgoingPayments).set({ state: 'failed' }).where(eq(outgoingPayments.id, outgoingId));
    });
    expect(await overview(desk.context)).toMatchObject({ paymentsUnderWay: 0, failedToday: 1 });
    // The day ends at midnight of the shop, which in Tokyo is at 15:00 UTC.
    await desk.database.write((tx) => changeShop(tx, { timeZone: 'Asia/Tokyo' }));
    desk.clock.advance(Date.UTC(2026, 0, 1, 15) - desk.clock.now() - 1);
    expect(await overview(desk.context)).toMatchObject({ failedToday: 1 });
    desk.clock.advance(1);
    expect(await overview(desk.context)).toMatchObject({ failedToday: 0 });
    await desk.database.write(async (tx) => {
      await tx.update(outgoingPayments).set({ updatedAt: desk.clock.now() }).where(eq(outgoingPayments.id, outgoingId));
    });
    expect(await overview(desk.context)).toMatchObject({ failedToday: 1 });
  });

  it('counts requests that wait', async () => {
    const asked: ApprovalRequest = {
      id: randomUUID(),
      client: { id: 'https://shop.example/till', host: 'shop.example/till', selfAssertedName: null },
      access: [],
      subject: null,
      account: null,
      nextWindows: [],
      returnsTo: null,
      opened: true,
      unlimited: false,
      suggestedLimit: null,
      payee: null,
      wrongCodes: 0,
      createdAt: new Date(0),
      lapsesAt: new Date(1),
      shownHash: '',
    };
    vi.spyOn(desk.context.access.views, 'listApprovals').mockResolvedValue([asked, asked]);
    expect((await overview(desk.context)).waitingApprovals).toBe(2);
  });

  it('gives sums that are larger than any single amount', async () => {
    await desk.account('rich', MAX_MOVED, 'XAU');
    const rich = (await allAccounts()).find(({ name }) => name === 'rich');
    expect((await overview(desk.context)).balances).toContainEqual({
      assetCode: 'XAU',
      assetScale: 2,
      value: MAX_MOVED,
      reserved: 0n,
      accounts: 1,
    });
    const insert = `insert into ledger_transfers (id, kind, state, debit_account_id, credit_account_id, amount, created_at)
      values (?, 'payment', 'posted', 'external:XAU/2', ?, 9223372036854775807, ?)`;
    for (let n = 0; n < 3; n++) await desk.test.tamper(insert, randomUUID(), `customer:${rich?.id}`, BigInt(desk.clock.now()));
    await countEarlierQuarters(desk.database);
    const { today } = await overview(desk.context);
    expect(today.find(({ assetCode }) => assetCode === 'XAU')?.received).toBe(3n * MAX_MOVED);
  });
});

describe('health', () => {
  const stateOf = async (name: string) => told((await overview(desk.context)).health.find((check) => check.name === name));

  it('is good for a node that is well, and warns that only this computer can reach it', async () => {
    const { health } = await overview(desk.context);
    expect(health.map(({ name, state }) => [name, state])).toEqual([
      ['database', 'good'],
      ['ledger', 'good'],
      ['payments', 'good'],
      ['reachable', 'warning'],
      ['outside', 'warning'],
      ['activity', 'good'],
    ]);
    desk.context.about.reachableByOthers = true;
    expect(await stateOf('reachable')).toMatchObject({ state: 'good' });
  });

  it('reports a database that takes no more writes', async () => {
    const goOn = pretendStopped(desk.database, new DatabaseStopped('The disk failed.'));
    expect(await stateOf('database')).toMatchObject({
      state: 'bad',
      words: expect.stringContaining('Check the disk, then restart paydesk.'),
    });
    goOn();
  });

  it('reports books that do not balance', async () => {
    await desk.database.write(async (tx) => {
      await tx
        .update(ledgerAccounts)
        .set({ balance: 1_001n })
        .where(eq(ledgerAccounts.id, `customer:${buyer.id}`));
    });
    expect(await stateOf('ledger')).toMatchObject({ state: 'bad', words: expect.stringContaining('USD/2') });
  });

  it('reports payments that are stuck for more than ten minutes', async () => {
    await payUnfinished(300n);
    desk.clock.advance(600_000);
    expect(await stateOf('payments')).toMatchObject({ state: 'good' });
    desk.clock.advance(1);
    expect(await stateOf('payments')).toMatchObject({ state: 'warning', words: expect.stringMatching(/^One payment has/) });
  });
});
