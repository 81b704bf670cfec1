import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitUpTo } from '../../src-shared/bills/bill-split.ts';
import { billOf } from '../payments/bills/bills.ts';
import { refundsOf } from '../payments/refunds/refund-rows.ts';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { closeDay } from './closings.ts';
import { closingNumbered } from './papers.ts';
import { accountsIn, figuresOf, lineIn, type Prepared, prepare, present, readRest } from './period.ts';

const BILL = {
  ...{ pricesIncludeTax: false, rounding: 'line' as const, tip: 7n },
  lines: [{ text: 'Rose', quantity: 1_000, unitPrice: 83n, tax: { name: 'VAT', rate: 19_000 } }],
};
const TOTAL = 106n;

/** A shop of which one buyer buys. */
class Shop {
  readonly #test: Payments;
  readonly #shop: WalletAddress;
  readonly #buyer: WalletAddress;
  /** The requests of the shop: with a bill, or of any amount. */
  readonly #requests: string[] = [];

  private constructor(test: Payments, shop: WalletAddress, buyer: WalletAddress) {
    this.#test = test;
    this.#shop = shop;
    this.#buyer = buyer;
  }

  static async open(test: Payments): Promise<Shop> {
    return new Shop(test, await test.account('shop', 50n), await test.account('buyer', 100_000n));
  }

  async ask(hasBill: boolean): Promise<void> {
    const { assetCode, assetScale } = this.#shop;
    const made = await this.#test.incomingPayments.create({
      ...{ walletAddress: this.#shop, client: null },
      incomingAmount: hasBill ? { value: TOTAL, assetCode, assetScale } : undefined,
      kept: { madeAt: 'till', note: null, reference: null, ...(hasBill && { bill: BILL }) },
    });
    if (!made.ok) throw new Error(made.error);
    this.#requests.push(made.value.id);
  }

  /** Pays a part of a request, or what is left of it. */
  async pay(nth: number, part: bigint): Promise<void> {
    const id = this.#requests.at(nth % Math.max(this.#requests.length, 1));
    const request = id === undefined ? undefined : await this.#test.incomingPayments.find(id);
    if (id === undefined || request === undefined || request.completed) return;
    const left = (request.incomingAmount ?? 1_000n) - request.received;
    const deliver = part < left ? part : left;
    const payee = this.#test.urls.incomingPayment(id);
    const quote = await this.#test.operatorPayments.quote({ requestId: randomUUID(), from: this.#buyer, payee, deliver });
    if (!quote.ok) throw new Error(quote.error.code);
    const made = await this.#test.operatorPayments.pay({ requestId: randomUUID(), from: this.#buyer, quoteId: quote.value.id });
    if (!made.ok) throw new Error(made.error.code);
    await this.#test.finished(made.value.id);
  }

  async refund(nth: number, amount: bigint): Promise<void> {
    const id = this.#requests.at(nth % Math.max(this.#requests.length, 1));
    if (id === undefined) return;
    await this.#test.refunds.create({ id: randomUUID(), incomingPaymentId: id, amount, by: { id: 'owner', role: 'owner' } });
    const open = async () =>
      (await refundsOf(this.#test.database.read, id, { most: 50 })).some(({ payment }) => payment?.state !== 'completed');
    for (let turns = 0; turns < 2_000 && (await open()); turns += 1) {
      await this.#test.refundWorker.runOnce();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The parts of what came of each bill so far, and of what was given back of it. */
  async split() {
    const [came, back] = [
      { tip: 0n, tax: 0n },
      { tip: 0n, tax: 0n },
    ];
    for (const id of this.#requests) {
      const bill = await billOf(this.#test.database.read, id);
      if (bill === undefined) continue;
      const given = await refundsOf(this.#test.database.read, id, { most: 50 });
      const received = (await this.#test.incomingPayments.find(id))?.received ?? 0n;
      const refunded = given.reduce((sum, { payment }) => sum + (payment?.sent ?? 0n), 0n);
      for (const [sums, amount] of [[came, received] as const, [back, refunded] as const]) {
        const { tip, rates } = splitUpTo(bill, amount);
        sums.tip += tip;
        sums.tax += rates[0]?.tax ?? 0n;
      }
    }
    return { came, back };
  }
}

type Step = { do: 'ask'; hasBill: boolean } | { do: 'pay' | 'refund'; nth: number; part: bigint } | { do: 'close' };

const steps = fc.array<Step>(
  fc.oneof(
    fc.record({ do: fc.constant('ask' as const), hasBill: fc.boolean() }),
    fc.record({ do: fc.constant('pay' as const), nth: fc.nat(5), part: fc.constantFrom(1n, 40n, 53n, TOTAL, TOTAL, TOTAL) }),
    fc.record({ do: fc.constant('refund' as const), nth: fc.nat(5), part: fc.constantFrom(1n, 30n, TOTAL) }),
    fc.record({ do: fc.constant('close' as const) }),
  ),
  { minLength: 8, maxLength: 24 },
);

/** A refund between two parts of a bill, each in a closing of its own, and then the rest of it. */
const PARTS = [
  { do: 'pay', nth: 0, part: 40n },
  { do: 'refund', nth: 0, part: 30n },
  { do: 'close' },
  { do: 'pay', nth: 0, part: TOTAL },
  { do: 'close' },
  { do: 'refund', nth: 0, part: TOTAL },
  { do: 'refund', nth: 0, part: 76n },
] as const satisfies Step[];

const RUNS = process.env.PAYDESK_TEST_LONG === '1' ? 500 : 25;

it('has the same figures, whenever they were prepared', { timeout: RUNS * 12_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(25n, 1_000n), async (all, maxPacketAmount) => {
      const test = openPayments({ maxPacketAmount });
      try {
        const shop = await Shop.open(test);
        await shop.ask(true);
        await shop.ask(false);
        let closed = 0;
        const prepared: Prepared[] = [];
        for (const step of all) {
          if (step.do === 'ask') await shop.ask(step.hasBill);
          else if (step.do === 'pay') await shop.pay(step.nth, step.part);
          else if (step.do === 'refund') await shop.refund(step.nth, step.part);
          else {
            const was = await closeDay(test, { requestId: randomUUID(), last: closed, by: null });
            expect(was).toEqual({ ok: true, value: closed + 1 });
            closed += 1;
            prepared.length = 0;
          }
          prepared.push(await prepare(test.database.readAside));
        }
        const figures = await Promise.all([...prepared, await prepare(test.database.readAside)].map((one) => figuresFrom(test, one)));
        for (const other of figures) expect(other).toEqual(figures.at(-1));
        // Every unit of tax and tip that came or went back is in one closing, or in these figures.
        const papers = await Promise.all(Array.from({ length: closed }, (_, at) => closingNumbered(test.database.read, at + 1)));
        const whole = [...papers.map((paper) => paper?.figures), figures.at(-1)];
        const sources = whole.flatMap((one) => one?.sources ?? []);
        const accounts = whole.flatMap((one) => one?.accounts ?? []);
        const sumOf = (amounts: bigint[]) => amounts.reduce((sum, one) => sum + one, 0n);
        expect(sumOf(sources.map(({ value }) => value))).toBe(sumOf(accounts.map(({ sales }) => sales)));
        expect(sumOf(sources.map(({ refunded = 0n }) => refunded))).toBe(sumOf(accounts.map(({ refunds }) => refunds)));
        const [tips, taxes] = [whole.flatMap((one) => one?.tips ?? []), whole.flatMap((one) => one?.taxes ?? [])];
        expect({
          came: { tip: sumOf(tips.map(({ value }) => value)), tax: sumOf(taxes.map(({ tax }) => tax)) },
          back: {
            tip: sumOf(tips.map(({ refunded = 0n }) => refunded)),
            tax: sumOf(taxes.map(({ refundedTax = 0n }) => refundedTax)),
          },
        }).toEqual(await shop.split());
        expect(sumOf(sources.map(({ tip = 0n }) => tip))).toBe(sumOf(tips.map(({ value }) => value)));
        for (const one of whole) {
          for (const { sales, salesCount, refunds, refundsCount } of one?.accounts ?? [])
            expect([sales > 0n, refunds > 0n]).toEqual([salesCount > 0, refundsCount > 0]);
        }
      } finally {
        await test.close();
      }
    }),
    {
      ...{ numRuns: RUNS, seed: Number(process.env.PAYDESK_TEST_SEED ?? 1) },
      examples: [
        [PARTS, 1_000n],
        [PARTS, 25n],
      ],
    },
  );
});

async function figuresFrom(test: Payments, prepared: Prepared) {
  const period = await readRest(test.database.read, prepared, {
    ...{ newest: prepared.last, end: await present(test.database.read), growing: true },
  });
  const accounts = accountsIn(period).accounts.map((account) => lineIn(period, account));
  return { ...(await figuresOf(period)), accounts };
}

it('keeps nothing of a sale that came in one movement, and keeps what may go on', async () => {
  const test = openPayments();
  try {
    const shop = await Shop.open(test);
    for (let nth = 0; nth < 6; nth += 1) {
      await shop.ask(true);
      await shop.pay(nth, nth === 5 ? 40n : TOTAL);
    }
    const { gathered } = await prepare(test.database.readAside);
    expect([...gathered.sales.values()].map(({ amount }) => amount)).toEqual([40n]);
    expect((await gathered.sums.lists()).sources).toMatchObject([{ madeBy: 'till', value: 5n * TOTAL + 40n, count: 6 }]);
  } finally {
    await test.close();
  }
});
