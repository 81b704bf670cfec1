import { expect, it, vi } from 'vitest';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { figuresFrom, figuresOf, storedText } from './figures.ts';
import { Gathered, type Sale } from './gathered.ts';

const shop: WalletAddress = { id: 'shop', name: 'shop', publicName: 'The shop', assetCode: 'USD', assetScale: 2, createdAt: 0 };
const none = { opening: new Map<string, bigint>(), closing: new Map<string, bigint>() };
const sale = (person: string | undefined, amount: bigint, tip: bigint): Sale => ({
  ...{ accountId: 'shop', amount, madeBy: 'till', app: null, person },
  bill: { rates: [], tip, total: 1_000n },
});

it('each person has the tips of what came of their sales, and a person without tips has none', async () => {
  const gathered = new Gathered({ movement: 0n, event: 0n });
  gathered.sales.set('a', sale('Ada', 1_000n, 100n));
  // Half of it had come before: of the tip of 75, 37 came with that half, and 38 with this one.
  gathered.sales.set('b', sale('Ada', 500n, 75n));
  gathered.sales.set('c', sale('Bob', 1_000n, 0n));
  gathered.sales.set('d', sale(undefined, 1_000n, 9n));
  const figures = await figuresOf(gathered, [shop], { balances: none, received: new Map([['b', 1_000n]]), refunded: new Map() });
  const usd = { assetCode: 'USD', assetScale: 2 };
  expect(figures.people).toEqual([
    { name: 'Ada', ...usd, value: 1_500n, count: 2, tip: 138n },
    { name: 'Bob', ...usd, value: 1_000n, count: 1 },
  ]);
  expect(figures.tips).toEqual([{ ...usd, value: 147n }]);
  expect(figuresFrom(storedText(figures))).toEqual(figures);
});

it('gives way to others while it adds up many sales', async () => {
  const gathered = new Gathered({ movement: 0n, event: 0n });
  for (let n = 0; n < 4_500; n += 1) gathered.sales.set(String(n), sale('Ada', 1n, 0n));
  const pause = vi.fn(async () => undefined);
  const { people } = await figuresOf(gathered, [shop], { balances: none, received: new Map(), refunded: new Map() }, pause);
  expect([people[0]?.count, pause.mock.calls.length]).toEqual([4_500, 4]);
});

it('counts a sale once that came in two parts, one before the rest was read and one in it', async () => {
  const [all, rest] = [new Gathered({ movement: 0n, event: 0n }), new Gathered({ movement: 1n, event: 0n })];
  for (const [part, amount] of [
    [all, 300n],
    [rest, 200n],
  ] as const) {
    part.sales.set('a', sale('Ada', amount, 100n));
    const moved = { sales: amount, refunds: 0n, sent: 0n, deposits: 0n, withdrawals: 0n };
    part.accounts.set('shop', { ...moved, salesIds: new Set(['a']), refundIds: new Set() });
  }
  all.add(rest);
  // The half that is here brings half of its tip; the other half is still to come.
  const figures = await figuresOf(all, [shop], { balances: none, received: new Map([['a', 500n]]), refunded: new Map() });
  expect(figures.people).toMatchObject([{ name: 'Ada', value: 500n, count: 1, tip: 50n }]);
  expect(figures.accounts).toMatchObject([{ sales: 500n, salesCount: 1 }]);
});
