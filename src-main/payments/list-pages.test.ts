import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import type { IncomingPayment } from './incoming/incoming-payments.ts';
import type { Page } from './list-pages.ts';
import { openPayments, type Payments } from './testing/payments.ts';

const CLIENTS = ['https://one.example/', 'https://two.example/'];

let node: Payments;
let walletAddresses = 0;
beforeAll(() => {
  node = openPayments();
});
afterAll(() => node.close());

/** A new wallet address, so that runs do not see each other's payments. */
async function freshWalletAddress(): Promise<WalletAddress> {
  walletAddresses += 1;
  return await node.account(`wallet-${walletAddresses}`, 0n);
}

async function add(walletAddress: WalletAddress, client: string): Promise<IncomingPayment> {
  const made = await node.incomingPayments.create({ walletAddress, client });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

interface Listing {
  walletAddress: WalletAddress;
  client: string | undefined;
  direction: 'forward' | 'backward';
  size: number;
}

async function page({ walletAddress, ...listing }: Listing, cursor?: string): Promise<Page<IncomingPayment>> {
  const listed = await node.incomingPayments.list({ walletAddressId: walletAddress.id, cursor, ...listing });
  if (!listed.ok) throw new Error(listed.error);
  return listed.value;
}

/** Walks to the end of a list and does something between two pages. */
async function walk(listing: Listing, between: () => Promise<void>): Promise<Page<IncomingPayment>[]> {
  const pages = [await page(listing)];
  for (;;) {
    const last = pages.at(-1);
    const more = listing.direction === 'forward' ? last?.hasNextPage : last?.hasPreviousPage;
    const cursor = listing.direction === 'forward' ? last?.items.at(-1)?.id : last?.items[0]?.id;
    if (more !== true) return pages;
    await between();
    pages.push(await page(listing, cursor));
  }
}

/** The model: all payments of one owner in an array, the newest first, and payments of the same moment by id. */
function newestFirst(payments: readonly IncomingPayment[], client: string | undefined): string[] {
  return payments
    .filter((payment) => client === undefined || payment.client === client)
    .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

const arbitraryListing = fc.record({
  client: fc.constantFrom(undefined, ...CLIENTS),
  direction: fc.constantFrom('forward' as const, 'backward' as const),
  size: fc.integer({ min: 1, max: 5 }),
});
/** Who adds a payment, and how much later than the one before. The difference can be none, so that there are ties. */
const additions = (maxLength: number) => fc.array(fc.tuple(fc.constantFrom(...CLIENTS), fc.integer({ min: 0, max: 1 })), { maxLength });

async function addAll(walletAddress: WalletAddress, plan: readonly (readonly [string, number])[]): Promise<IncomingPayment[]> {
  const added = [];
  for (const [client, later] of plan) {
    node.clock.advance(later);
    added.push(await add(walletAddress, client));
  }
  return added;
}

describe('pages of incoming payments', () => {
  it('together hold the list as it was when the walk began, while payments are added', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryListing, additions(12), additions(3), async (wanted, before, meanwhile) => {
        const walletAddress = await freshWalletAddress();
        const model = newestFirst(await addAll(walletAddress, before), wanted.client);
        const isForward = wanted.direction === 'forward';
        const pages = await walk({ ...wanted, walletAddress }, async () => {
          // The walk begins in the next millisecond: a payment added in the moment being listed may or may not be
          // listed.
          node.clock.advance(1);
          if (isForward) await addAll(walletAddress, meanwhile);
        });
        const seen = (isForward ? pages : pages.toReversed()).flatMap(({ items }) => items.map(({ id }) => id));
        expect(seen).toEqual(model);
        for (const { items } of pages.slice(0, -1)) expect(items).toHaveLength(wanted.size);
      }),
      { numRuns: 60 },
    );
  });

  it('reach backwards what was added meanwhile, once each and in order', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryListing, additions(8), additions(6), async (wanted, before, later) => {
        const walletAddress = await freshWalletAddress();
        const payments = await addAll(walletAddress, before);
        const queue = [...later];
        const pages = await walk({ ...wanted, direction: 'backward', walletAddress }, async () => {
          node.clock.advance(1);
          payments.push(...(await addAll(walletAddress, queue.splice(0, 1))));
        });
        const seen = pages.toReversed().flatMap(({ items }) => items.map(({ id }) => id));
        const model = newestFirst(payments, wanted.client);
        // Additions stop as soon as the walk has caught up, so the newest ones may have come after its last page.
        expect(model.slice(model.length - seen.length)).toEqual(seen);
        expect(seen.length).toBeGreaterThanOrEqual(newestFirst(payments.slice(0, before.length), wanted.client).length);
      }),
      { numRuns: 60 },
    );
  });

  it('say truly whether there is more on either side of a cursor', async () => {
    const walletAddress = await freshWalletAddress();
    const model = newestFirst(
      await addAll(
        walletAddress,
        Array.from({ length: 7 }, () => [CLIENTS[0] ?? '', 0] as const),
      ),
      undefined,
    );
    for (const size of [1, 2, 3, 7, 8]) {
      for (const [at, cursor] of model.entries()) {
        const after = await page({ walletAddress, client: undefined, direction: 'forward', size }, cursor);
        expect(after.items.map(({ id }) => id)).toEqual(model.slice(at + 1, at + 1 + size));
        expect(after.hasNextPage).toBe(at + 1 + size < model.length);
        expect(after.hasPreviousPage).toBe(after.items.length > 0);
        const before = await page({ walletAddress, client: undefined, direction: 'backward', size }, cursor);
        expect(before.items.map(({ id }) => id)).toEqual(model.slice(Math.max(0, at - size), at));
        expect(before.hasPreviousPage).toBe(at - size > 0);
        expect(before.hasNextPage).toBe(before.items.length > 0);
      }
    }
  });

  it('take only cursors of the same wallet address and owner', async () => {
    const [mine, other] = [await freshWalletAddress(), await freshWalletAddress()];
    const foreign = await add(other, CLIENTS[0] ?? '');
    const others = await add(mine, CLIENTS[1] ?? '');
    const list = (cursor: string, client: string | undefined) =>
      node.incomingPayments.list({ walletAddressId: mine.id, client, cursor, direction: 'forward', size: 5 });
    const refused = { ok: false, error: 'unknown_cursor' };
    expect(await list(foreign.id, undefined)).toEqual(refused);
    expect(await list(others.id, CLIENTS[0])).toEqual(refused);
    expect(await list('nothing', undefined)).toEqual(refused);
    expect(await list(others.id, CLIENTS[1])).toMatchObject({ ok: true });
  });
});
