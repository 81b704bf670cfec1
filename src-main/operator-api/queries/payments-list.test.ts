import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Payment, PaymentFilter } from '../../../src-shared/operator-contract/payments.ts';
import { incomingPayments, outgoingPayments, quotes } from '../../payments/tables.ts';
import type { WalletAddress } from '../../payments/wallet-addresses.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { listPayments } from './payments-list.ts';
import { fromCursor } from './places.ts';

let desk: Desk;
let accounts: WalletAddress[];

beforeEach(async () => {
  desk = openDesk();
  accounts = [await desk.account('till', 0n), await desk.account('online', 0n)];
});
afterEach(() => desk.close());

const NOW = Date.UTC(2026, 0, 1);
const WORDS = ['Kaffee', 'ÄPFEL', 'tea', null];

// Few different times and words, so that ties and hits are common.
const common = {
  id: fc.uuid({ version: 4 }),
  account: fc.constantFrom(0, 1),
  age: fc.integer({ min: 0, max: 5 }),
  word: fc.constantFrom(...WORDS),
  client: fc.constantFrom('https://shop.example/Till', null),
};
const anIncoming = fc.record({
  ...common,
  received: fc.constantFrom(0n, 5n),
  completed: fc.boolean(),
  expired: fc.constantFrom(null, true, false),
});
const anOutgoing = fc.record({ ...common, state: fc.constantFrom('funded', 'sending', 'retrying', 'completed', 'failed') });
type Incoming = typeof anIncoming extends fc.Arbitrary<infer T> ? T : never;
type Outgoing = typeof anOutgoing extends fc.Arbitrary<infer T> ? T : never;
const aFilter: fc.Arbitrary<PaymentFilter> = fc.record(
  {
    direction: fc.constantFrom('in', 'out'),
    status: fc.constantFrom('waiting', 'receiving', 'expired', 'queued', 'sending', 'retrying', 'completed', 'failed'),
    text: fc.constantFrom('äpf', 'TEA', 'shop.example', ' kaffee ', '', 'nothing like this'),
  },
  { requiredKeys: [] },
);

async function store(incoming: Incoming[], outgoing: Outgoing[]): Promise<void> {
  const rowOf = ({ id, account, age, word, client }: Incoming | Outgoing) => ({
    id,
    walletAddressId: accounts[account]?.id ?? '',
    client,
    metadata: word === null ? null : { description: word },
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
        .values({ ...rowOf(one), incomingAmount: 10n, received: one.received, completed: one.completed, expiresAt });
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

async function readAll(filter: PaymentFilter, limit: number): Promise<{ items: Payment[]; sizes: number[] }> {
  const items: Payment[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listPayments(desk.context, { ...filter, limit, from: cursor === undefined ? undefined : fromCursor(cursor) });
    items.push(...page.items);
    sizes.push(page.items.length);
    cursor = page.nextCursor;
  }
  return { items, sizes };
}

/** What the list must be, the slow and obvious way. */
function expected(incoming: Incoming[], outgoing: Outgoing[], filter: PaymentFilter): string[] {
  const states = { funded: 'queued', sending: 'sending', retrying: 'retrying', completed: 'completed', failed: 'failed' } as const;
  const all = [
    ...incoming.map((one) => {
      const open = one.received > 0n ? 'receiving' : 'waiting';
      return { ...one, direction: 'in', status: one.completed ? 'completed' : one.expired === true ? 'expired' : open };
    }),
    ...outgoing.map((one) => ({ ...one, direction: 'out', status: states[one.state] })),
  ];
  const needle = filter.text?.trim().toLowerCase() ?? '';
  return all
    .filter(({ direction }) => filter.direction === undefined || filter.direction === direction)
    .filter(({ status }) => filter.status === undefined || filter.status === status)
    .filter(({ account }) => filter.accountId === undefined || filter.accountId === accounts[account]?.id)
    .filter(({ word, client, id }) => `${word ?? ''}\n${client ?? ''}\n${id}`.toLowerCase().includes(needle))
    .sort((a, b) => a.age - b.age || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

describe('the list of payments', () => {
  it('is every payment that matches, once, newest first, at any page size', async () => {
    const lists = fc.tuple(
      fc.uniqueArray(anIncoming, { maxLength: 12, selector: ({ id }) => id }),
      fc.uniqueArray(anOutgoing, { maxLength: 12, selector: ({ id }) => id }),
    );
    await fc.assert(
      fc.asyncProperty(lists, aFilter, fc.boolean(), fc.integer({ min: 1, max: 7 }), async ([incoming, outgoing], some, ofOne, limit) => {
        await store(incoming, outgoing);
        const filter = ofOne ? { ...some, accountId: accounts[0]?.id } : some;
        const { items, sizes } = await readAll(filter, limit);
        expect(items.map(({ id }) => id)).toEqual(expected(incoming, outgoing, filter));
        expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('shows no row twice and skips none when payments arrive between two pages', async () => {
    const made = fc.sample(anIncoming, { numRuns: 9, seed: 1 });
    await store(made, []);
    const first = await listPayments(desk.context, { limit: 4, from: undefined });
    const [shop] = accounts;
    if (shop === undefined) throw new Error('no account');
    desk.clock.advance(10);
    await desk.incomingPayments.create({ walletAddress: shop, client: null });
    const rest = await listPayments(desk.context, { limit: 100, from: fromCursor(first.nextCursor ?? '') });
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(expected(made, [], {}));
  });

  it('finds a payment behind thousands that do not match, and stops when nobody waits any more', async () => {
    const [first] = accounts;
    const row = { walletAddressId: first?.id ?? '', received: 0n, completed: false, updatedAt: NOW };
    const ids = Array.from({ length: 1_200 }, () => randomUUID());
    await desk.database.write(async (tx) => {
      for (const [age, id] of ids.entries()) await tx.insert(incomingPayments).values({ ...row, id, createdAt: NOW - age });
    });
    const oldest = ids.at(-1) ?? '';
    const search = { limit: 5, from: undefined, text: oldest.toUpperCase() };
    expect((await listPayments(desk.context, search)).items).toMatchObject([{ id: oldest, status: 'waiting' }]);
    await expect(listPayments(desk.context, search, AbortSignal.abort())).rejects.toThrow(/abort/i);
  });

  it('takes its plain pages from indexes, without sorting', async () => {
    const plans: string[] = [];
    const { connection } = desk.database;
    for (const [table, condition] of [
      ['incoming_payments', "(created_at, id) < (5, 'x')"],
      ['outgoing_payments', "(created_at, id) < (5, 'x')"],
      ['incoming_payments', "wallet_address_id = 'a' and (created_at, id) < (5, 'x')"],
    ]) {
      const rows = connection
        .prepare(`explain query plan select * from ${table} where ${condition} order by created_at desc, id desc limit 50`)
        .all();
      plans.push(...(rows as { detail: string }[]).map(({ detail }) => detail));
    }
    expect(plans).toEqual([
      expect.stringMatching(/SEARCH incoming_payments USING INDEX incoming_payments_created \(.*<\(\?,\?\)\)/),
      expect.stringMatching(/SEARCH outgoing_payments USING INDEX outgoing_payments_created \(.*<\(\?,\?\)\)/),
      expect.stringMatching(/SEARCH incoming_payments USING INDEX incoming_payments_listed \(wallet_address_id=\? AND .*<\(\?,\?\)\)/),
    ]);
  });
});
