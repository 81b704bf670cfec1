import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_STATED } from '../../../../src-shared/amounts.ts';
import { INCOMING_STATUSES, type IncomingStatus, incomingStatus } from '../../../../src-shared/incoming-status.ts';
import type { Payment, PaymentFilter } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { searchTextOf } from '../../../payments/search-text.ts';
import { incomingPayments, outgoingPayments, quotes } from '../../../payments/tables.ts';
import { onSqlite } from '../../../platform/database/testing/on-sqlite.ts';
import { sqliteOf } from '../../../platform/database/testing/sqlite-test.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { fromCursor } from '../places.ts';
import { summarisePayments } from './payment-summary.ts';
import { listPayments } from './payments-list.ts';

const PLANS = 'PostgreSQL plans by statistics, which a test of few rows does not have';

let desk: Desk;
let accounts: WalletAddress[];

beforeEach(async () => {
  desk = openDesk();
  accounts = [await desk.account('till', 0n), await desk.account('online', 0n)];
});
afterEach(() => desk.close());

const NOW = Date.UTC(2026, 0, 1);
const WORDS = ['Kaffee', 'ÄPFEL', 'tea', null];

// The records have few different times and words, so that equal times and matches are common.
const common = {
  id: fc.uuid({ version: 4 }),
  account: fc.constantFrom(0, 1),
  age: fc.integer({ min: 0, max: 5 }),
  word: fc.constantFrom(...WORDS),
  client: fc.constantFrom('https://shop.example/Till', null),
  reference: fc.constantFrom('R-1', 'R-12', null),
};
const anIncoming = fc.record({
  ...common,
  received: fc.constantFrom(0n, 5n),
  completed: fc.boolean(),
  expired: fc.constantFrom(null, true, false),
  /** The amount that was asked for. */
  asked: fc.constantFrom(10n, 9n, 5n, MAX_STATED, null),
});
const anOutgoing = fc.record({ ...common, state: fc.constantFrom('funded', 'sending', 'retrying', 'completed', 'failed') });
type Incoming = typeof anIncoming extends fc.Arbitrary<infer T> ? T : never;
type Outgoing = typeof anOutgoing extends fc.Arbitrary<infer T> ? T : never;
const aFilter: fc.Arbitrary<PaymentFilter> = fc.record(
  {
    direction: fc.constantFrom('in', 'out'),
    status: fc.constantFrom(...INCOMING_STATUSES, 'queued', 'sending', 'retrying', 'completed', 'failed'),
    unpaid: fc.boolean(),
    text: fc.constantFrom('äpf', 'TEA', 'shop.example', ' kaffee ', '', 'nothing like this', 'R-1'),
    reference: fc.constantFrom('r-', 'R-12', '12', ''),
    client: fc.constantFrom('https://shop.example/Till', ''),
    minAmount: fc.constantFrom('0', '0.09', '0.0901'),
    maxAmount: fc.constantFrom('0.09', '0.1', '5', '0.099'),
    createdFrom: fc.constantFrom(new Date(NOW - 3), new Date(NOW)),
    createdBefore: fc.constantFrom(new Date(NOW - 1), new Date(NOW + 1)),
  },
  { requiredKeys: [] },
);

const metadataOf = (word: string | null, reference: string | null) => ({
  ...(word !== null && { description: word }),
  ...(reference !== null && { externalRef: reference }),
});

async function store(incoming: Incoming[], outgoing: Outgoing[]): Promise<void> {
  const rowOf = ({ id, account, age, word, client, reference }: Incoming | Outgoing) => ({
    id,
    walletAddressId: accounts[account]?.id ?? '',
    client,
    metadata: metadataOf(word, reference),
    search: searchTextOf(metadataOf(word, reference)),
    createdAt: NOW - age,
    updatedAt: NOW,
  });
  await desk.database.write(async (tx) => {
    await tx.delete(outgoingPayments);
    await tx.delete(quotes);
    await tx.delete(incomingPayments);
    for (const one of incoming) {
      const expiresAt = one.expired === null ? null : NOW + (one.expired ? 0 : 1);
      await tx
        .insert(incomingPayments)
        .values({ ...rowOf(one), incomingAmount: one.asked, received: one.received, completed: one.completed, expiresAt });
    }
    for (const one of outgoing) {
      const row = rowOf(one);
      const { id, walletAddressId, createdAt } = row;
      const amounts = { receiver: 'https://r.example', debitAmount: 9n, receiveAmount: 9n, receiveAssetCode: 'USD', receiveAssetScale: 2 };
      await tx.insert(quotes).values({ id, walletAddressId, createdAt, expiresAt: createdAt, ...amounts });
      const work = { sent: 0n, delivered: 0n, packets: 0, attempt: 0, fruitless: 0, dueAt: NOW, deadline: NOW };
      await tx.insert(outgoingPayments).values({ ...row, ...amounts, ...work, quoteId: id, state: one.state });
    }
  });
}

/** Reads page after page, by cursors or by row numbers. */
async function readAll(filter: PaymentFilter, limit: number, byNumber: boolean): Promise<{ items: Payment[]; sizes: number[] }> {
  const items: Payment[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const place = byNumber ? { offset: items.length } : { from: cursor === undefined ? undefined : fromCursor(cursor) };
    const page = await listPayments(desk.context, { ...filter, ...place, limit });
    items.push(...page.items);
    sizes.push(page.items.length);
    cursor = page.nextCursor;
  }
  return { items, sizes };
}

type Any = { direction: string; status: string; amount: bigint; received: bigint; sent: bigint } & Pick<
  Incoming,
  'id' | 'account' | 'age' | 'word' | 'client' | 'reference'
>;

/** An app asked for it, and nobody paid: it is no business of the operator's. */
const isUnpaid = ({ direction, client, received }: Any): boolean => direction === 'in' && client !== null && received === 0n;

/** Computes the expected list in a slow and obvious way. */
function expected(incoming: Incoming[], outgoing: Outgoing[], filter: PaymentFilter): Any[] {
  const states = { funded: 'queued', sending: 'sending', retrying: 'retrying', completed: 'completed', failed: 'failed' } as const;
  const all: Any[] = [
    ...incoming.map((one) => {
      const endsAt = one.expired === null ? null : NOW + (one.expired ? 0 : 1);
      const status = incomingStatus({ ...one, endsAt, isOwn: one.client === null }, NOW);
      return { ...one, direction: 'in', status, amount: one.asked ?? one.received, sent: 0n };
    }),
    ...outgoing.map((one) => ({ ...one, direction: 'out', status: states[one.state], amount: 9n, received: 0n, sent: 0n })),
  ];
  const needle = filter.text?.trim().toLowerCase() ?? '';
  const beginning = filter.reference?.trim().toLowerCase() ?? '';
  const cents = (text: string) => Number(text) * 100;
  return all
    .filter((one) => (filter.unpaid ?? filter.status === 'nothing_received') === isUnpaid(one))
    .filter(({ direction }) => filter.direction === undefined || filter.direction === direction)
    .filter(({ status }) => filter.status === undefined || filter.status === status)
    .filter(({ account }) => filter.accountId === undefined || filter.accountId === accounts[account]?.id)
    .filter(({ client }) => filter.client === undefined || (client ?? '') === filter.client)
    .filter(({ reference }) => beginning === '' || reference?.toLowerCase().startsWith(beginning) === true)
    .filter(({ amount }) => filter.minAmount === undefined || Number(amount) >= cents(filter.minAmount))
    .filter(({ amount }) => filter.maxAmount === undefined || Number(amount) <= cents(filter.maxAmount))
    .filter(({ age }) => filter.createdFrom === undefined || NOW - age >= filter.createdFrom.getTime())
    .filter(({ age }) => filter.createdBefore === undefined || NOW - age < filter.createdBefore.getTime())
    .filter(({ word, client, id, reference }) => `${word ?? ''}\n${reference ?? ''}\n${client ?? ''}\n${id}`.toLowerCase().includes(needle))
    .sort((a, b) => a.age - b.age || (a.id < b.id ? 1 : -1));
}

describe('the list of payments', () => {
  it('has every payment that matches once, newest first, at any page size', async () => {
    const lists = fc.tuple(
      fc.uniqueArray(anIncoming, { maxLength: 12, selector: ({ id }) => id }),
      fc.uniqueArray(anOutgoing, { maxLength: 12, selector: ({ id }) => id }),
    );
    await fc.assert(
      fc.asyncProperty(
        lists,
        aFilter,
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 7 }),
        async ([incoming, outgoing], some, ofOne, byNumber, limit) => {
          await store(incoming, outgoing);
          const filter = ofOne ? { ...some, accountId: accounts[0]?.id } : some;
          const { items, sizes } = await readAll(filter, limit, byNumber);
          const wanted = expected(incoming, outgoing, filter);
          expect(items.map(({ id, status }) => [id, status])).toEqual(wanted.map(({ id, status }) => [id, status]));
          expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
          const received = wanted.reduce((sum, one) => sum + one.received, 0n);
          const totals = wanted.length === 0 ? [] : [{ assetCode: 'USD', assetScale: 2, count: wanted.length, received, sent: 0n }];
          expect(await summarisePayments(desk.context, filter)).toEqual({ count: wanted.length, newer: 0, totals });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has under each state the payments in it, each with what has arrived', async () => {
    const nothing = {
      account: 0,
      age: 0,
      word: null,
      client: null,
      reference: null,
      received: 0n,
      completed: false,
      expired: null,
    } as const;
    const request = (facts: Partial<Incoming>): Incoming => ({ ...nothing, asked: 10n, id: randomUUID(), ...facts });
    const inState: Record<IncomingStatus, Incoming> = {
      waiting: request({}),
      partly_paid: request({ received: 5n, completed: true }),
      paid: request({ received: 5n, asked: 5n }),
      cancelled: request({ completed: true }),
      expired: request({ expired: true }),
      nothing_received: request({ completed: true, client: 'https://shop.example/Till' }),
    };
    await store(Object.values(inState), []);
    for (const status of INCOMING_STATUSES) {
      const { items } = await listPayments(desk.context, { status, limit: 9 });
      const { id, received } = inState[status];
      expect(items.map((one) => [one.id, one.status, one.progress.value])).toEqual([[id, status, received]]);
    }
  });

  it('shows no row twice and skips none when payments arrive between two pages', async () => {
    const made = fc.sample(anIncoming, { numRuns: 9, seed: 1 });
    await store(made, []);
    const first = await listPayments(desk.context, { limit: 4 });
    const [shop] = accounts;
    if (shop === undefined) throw new Error('no account');
    desk.clock.advance(10);
    await desk.incomingPayments.create({ walletAddress: shop, client: null });
    const rest = await listPayments(desk.context, { limit: 100, from: fromCursor(first.nextCursor ?? '') });
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(expected(made, [], {}).map(({ id }) => id));
  });

  it('does not change for a reader while payments arrive, and counts those separately', async () => {
    const made = fc.sample(anIncoming, { numRuns: 6, seed: 2 });
    await store(made, []);
    const [shop] = accounts;
    if (shop === undefined) throw new Error('no account');
    const { place } = await listPayments(desk.context, { limit: 3 });
    const until = fromCursor(place ?? '');
    desk.clock.advance(10);
    for (let count = 0; count < 2; count += 1) await desk.incomingPayments.create({ walletAddress: shop, client: null });
    const still = await listPayments(desk.context, { limit: 100, until });
    expect(still.items.map(({ id }) => id)).toEqual(expected(made, [], {}).map(({ id }) => id));
    expect(await summarisePayments(desk.context, { until })).toMatchObject({ count: still.items.length, newer: 2 });
  });

  it('finds a payment behind thousands that do not match, and stops when its caller has gone', async () => {
    const [first] = accounts;
    const row = { walletAddressId: first?.id ?? '', received: 0n, completed: false, updatedAt: NOW };
    const ids = Array.from({ length: 1_200 }, () => randomUUID());
    await desk.database.write(async (tx) => {
      for (const [age, id] of ids.entries()) await tx.insert(incomingPayments).values({ ...row, id, createdAt: NOW - age });
    });
    const oldest = ids.at(-1) ?? '';
    const search = { limit: 5, text: oldest.toUpperCase() };
    expect((await listPayments(desk.context, search)).items).toMatchObject([{ id: oldest, status: 'waiting' }]);
    await expect(listPayments(desk.context, search, AbortSignal.abort())).rejects.toThrow(/abort/i);
  });

  it.each([0, 70_000])('finds what accounts of this node have paid, by their name, beside %i others of that name', async (others) => {
    const [payee, payer] = [accounts[0], await desk.account('stand-0', 50n)];
    const asked = await desk.incomingPayments.create({ walletAddress: payee as WalletAddress, client: null });
    if (!asked.ok) throw new Error(asked.error);
    const quote = await desk.operatorPayments.quote({
      ...{ requestId: randomUUID(), from: payer, payee: desk.urls.incomingPayment(asked.value.id) },
      send: 7n,
    });
    if (!quote.ok) throw new Error(quote.error.code);
    const made = await desk.operatorPayments.pay({ requestId: randomUUID(), from: payer, quoteId: quote.value.id });
    await desk.finished(made.ok ? made.value.id : '');
    await desk.test.tamper(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${others + 1})
      insert into wallet_addresses (id, name, public_name, asset_code, asset_scale, created_at)
      select 'id-' || i, 'stand-' || i, 'Stand', 'USD', 2, i from n where i <= ${others}`);
    for (const text of ['stand', 'STAND-0', `${desk.urls.origin}/stand-0`])
      expect((await listPayments(desk.context, { limit: 5, text, direction: 'in' })).items).toMatchObject([{ id: asked.value.id }]);
    expect((await summarisePayments(desk.context, { text: 'stand', direction: 'in' })).count).toBe(1);
    expect((await listPayments(desk.context, { limit: 5, text: 'stand-0x' })).items).toEqual([]);
  });

  onSqlite(PLANS)('reads pages without a search from indexes, without sorting more than the rows of one moment', async () => {
    const plans: string[] = [];
    const business = '(client is null or received > 0)';
    const { connection } = sqliteOf(desk.test);
    for (const [table, condition] of [
      ['incoming_payments', `${business} and (created_at, id) < (5, 'x')`],
      ['incoming_payments', `(client is not null and received = 0) and (created_at, id) < (5, 'x')`],
      ['outgoing_payments', "(created_at, id) < (5, 'x')"],
      ['incoming_payments', `${business} and wallet_address_id = 'a' and (created_at, id) < (5, 'x')`],
    ]) {
      const rows = connection
        .prepare(`explain query plan select * from ${table} where ${condition} order by created_at desc, id desc limit 50`)
        .all();
      plans.push(...(rows as { detail: string }[]).map(({ detail }) => detail));
    }
    expect(plans).toEqual([
      expect.stringMatching(/SEARCH incoming_payments USING INDEX incoming_payments_business \(.*<\(\?,\?\)\)/),
      expect.stringMatching(/SEARCH incoming_payments USING INDEX incoming_payments_not_paid \(.*<\(\?,\?\)\)/),
      expect.stringMatching(/SEARCH outgoing_payments USING INDEX outgoing_payments_created \(.*<\(\?,\?\)\)/),
      'SEARCH incoming_payments USING INDEX incoming_payments_listed (wallet_address_id=? AND created_at<?)',
      // Only rows of the same millisecond are sorted, by their ids.
      'USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
    ]);
  });
});
