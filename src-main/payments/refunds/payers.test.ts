import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { openPayments, type Payments } from '../testing/payments.ts';
import { firstPayers, firstPayersHere, notePayer, payerNamed, payersOf, provenOf } from './payers.ts';

let node: Payments;
let shop: WalletAddress;
const here: string[] = [];

beforeEach(async () => {
  node = openPayments({ quiet: true });
  shop = await node.account('shop', 0n);
  here.length = 0;
});
afterEach(() => node.close());

async function asked(): Promise<string> {
  const made = await node.incomingPayments.create({ walletAddress: shop, client: null });
  if (!made.ok) throw new Error(made.error);
  return made.value.id;
}

async function payFromHere(id: string, name: string): Promise<void> {
  const from = await node.account(name, 100n);
  here.push(from.id);
  const quote = await node.operatorPayments.quote({ requestId: randomUUID(), from, payee: node.urls.incomingPayment(id), send: 7n });
  if (!quote.ok) throw new Error(quote.error.code);
  const payment = await node.operatorPayments.pay({ requestId: randomUUID(), from, quoteId: quote.value.id });
  if (!payment.ok) throw new Error(payment.error.code);
  await node.finished(payment.value.id);
}

const urlOf = (number: number) => `https://wallet.example/Payer-${String(number).padStart(3, '0')}`;
/** Lets payers from elsewhere pay, the last one first. */
const payFromElsewhere = (id: string, count: number) =>
  node.database.write(async (tx) => {
    for (let number = count; number > 0; number -= 1)
      await notePayer(tx, { incomingPaymentId: id, payer: urlOf(number), amount: BigInt(number) }, 1);
  });

it('the payers of a payment come in parts, accounts of this node first, each once', async () => {
  const [id, other] = [await asked(), await asked()];
  for (const name of ['bakery', 'cafe', 'dairy']) await payFromHere(id, name);
  await payFromElsewhere(id, 30);
  await payFromElsewhere(other, 2);
  const all: string[] = [];
  for (let after: string | undefined, more = true; more; ) {
    const part = await payersOf(node.database.read, id, { after, most: 8 });
    all.push(...part.map(({ payer }) => payer));
    after = part.at(-1)?.payer;
    more = part.length === 8;
  }
  expect(all).toEqual([...here.toSorted(), ...Array.from({ length: 30 }, (_, nth) => urlOf(nth + 1))]);
  expect(await provenOf(node.database.read, id)).toBe(3n * 7n + (30n * 31n) / 2n);
  const named = async (text: string) => (await payersOf(node.database.read, id, { named: text, most: 40 })).map(({ payer }) => payer);
  expect(await named('payer-02')).toEqual(Array.from({ length: 10 }, (_, nth) => urlOf(20 + nth)));
  expect(await named('afe')).toEqual([here[1]]);
  expect(await named('%')).toEqual([]);
  expect(await payerNamed(node.database.read, id, urlOf(30))).toMatchObject({ amount: 30n });
  expect(await payerNamed(node.database.read, id, here[2] ?? '')).toMatchObject({ amount: 7n, paid: { value: 7n } });
  expect(await payerNamed(node.database.read, other, urlOf(30))).toBeUndefined();
  expect(await payerNamed(node.database.read, other, here[0] ?? '')).toBeUndefined();
});

it('the first payers of several payments are read at once', async () => {
  const [id, other, nobodys] = [await asked(), await asked(), await asked()];
  for (const name of ['bakery', 'cafe', 'dairy']) await payFromHere(id, name);
  await payFromElsewhere(id, 5);
  await payFromElsewhere(other, 1);
  const asks = [id, other, nobodys];
  expect(await firstPayers(node.database.read, asks, 3)).toEqual(
    new Map([
      [id, [urlOf(1), urlOf(2), urlOf(3)]],
      [other, [urlOf(1)]],
    ]),
  );
  expect(await firstPayersHere(node.database.read, asks, 2)).toEqual(new Map([[id, here.toSorted().slice(0, 2)]]));
  expect(await firstPayers(node.database.read, [], 3)).toEqual(new Map());
  expect(await firstPayersHere(node.database.read, [], 3)).toEqual(new Map());
});
