import { expect, it } from 'vitest';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { figuresFrom, figuresOf, storedText } from './figures.ts';
import { Gathered, type Sale } from './gathered.ts';

const shop: WalletAddress = { id: 'shop', name: 'shop', publicName: 'The shop', assetCode: 'USD', assetScale: 2, createdAt: 0 };
const none = { opening: new Map<string, bigint>(), closing: new Map<string, bigint>() };
const sale = (person: string | undefined, amount: bigint, tip: bigint): Sale => ({
  ...{ accountId: 'shop', amount, madeBy: 'till', app: null, person },
  bill: { rates: [], tip, total: 1_000n },
});

it('each person has the tips of what came of their sales, and a person without tips has none', () => {
  const gathered = new Gathered({ movement: 0n, event: 0n });
  gathered.sales.set('a', sale('Ada', 1_000n, 100n));
  // Half of it had come before: of the tip of 75, 37 came with that half, and 38 with this one.
  gathered.sales.set('b', sale('Ada', 500n, 75n));
  gathered.sales.set('c', sale('Bob', 1_000n, 0n));
  gathered.sales.set('d', sale(undefined, 1_000n, 9n));
  const figures = figuresOf(gathered, [shop], { balances: none, received: new Map([['b', 1_000n]]), refunded: new Map() });
  const usd = { assetCode: 'USD', assetScale: 2 };
  expect(figures.people).toEqual([
    { name: 'Ada', ...usd, value: 1_500n, count: 2, tip: 138n },
    { name: 'Bob', ...usd, value: 1_000n, count: 1 },
  ]);
  expect(figures.tips).toEqual([{ ...usd, value: 147n }]);
  expect(figuresFrom(storedText(figures))).toEqual(figures);
});
