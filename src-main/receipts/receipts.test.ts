import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { compactVerify, importJWK } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bill, countBill } from '../../src-shared/bills/bill.ts';
import { canonicalText } from '../../src-shared/receipts/canonical.ts';
import { addsUp } from '../../src-shared/receipts/receipt-rules.ts';
import { EMPTY_PROFILE } from '../../src-shared/shop/shop-profile.ts';
import { events } from '../journal/tables.ts';
import { findIncomingPayment, receive } from '../payments/incoming/incoming-payments.ts';
import { notePayer } from '../payments/refunds/payers.ts';
import { refundsOf } from '../payments/refunds/refund-rows.ts';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import { changeShop } from '../shop/shop.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { beginNewSeries } from './after-copy.ts';
import { ReceiptKeys } from './receipt-keys.ts';
import { Receipts } from './receipts.ts';

let test: Payments;
let shop: WalletAddress;
let receipts: Receipts;
const open = (database = test.database) => new Receipts({ ...test, database, keys: new ReceiptKeys({ stream: Buffer.alloc(32, 7) }) });
beforeEach(async () => {
  test = openPayments();
  shop = await test.account('shop', 0n);
  receipts = open();
});
afterEach(() => test.close());

const TAX = { name: 'VAT', rate: 19_000 };
const BILL: Bill = {
  ...{ pricesIncludeTax: true, rounding: 'line', tip: 50n },
  lines: [{ text: 'Rose', quantity: 2_000, unitPrice: 250n, tax: TAX }],
};

interface Asked {
  bill?: Bill;
  amount?: bigint;
  description?: string;
  client?: string | null;
  expiresAt?: number;
}

async function ask({ bill, amount, description, client = null, expiresAt }: Asked): Promise<string> {
  const value = bill === undefined ? amount : countBill(bill)?.total;
  const made = await test.incomingPayments.create({
    ...{ walletAddress: shop, client, expiresAt },
    incomingAmount: value === undefined ? undefined : { value, assetCode: 'USD', assetScale: 2 },
    metadata: description === undefined ? undefined : { description },
    kept: client === null ? { madeAt: 'till', note: null, reference: null, bill } : undefined,
  });
  if (!made.ok) throw new Error(made.error);
  return made.value.id;
}
const bring = (id: string, amount: bigint) =>
  test.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, id);
    if (payment !== undefined) await receive(tx, payment, amount, test.clock.now());
  });
async function sold(asked: Asked = { bill: BILL }): Promise<string> {
  const id = await ask(asked);
  await bring(id, asked.amount ?? (asked.bill && countBill(asked.bill)?.total) ?? 0n);
  return id;
}
const issue = async (id: string, from = receipts) => {
  const issued = await from.issue({ kind: 'sale', id });
  if (!issued.ok) throw new Error(issued.error);
  return issued.value;
};
const numberOf = async (id: string, from = receipts) => (await issue(id, from)).content?.number;

describe('a receipt', () => {
  it('says what was sold, with the tax and the tip, in the name of the shop', async () => {
    const profile = { ...EMPTY_PROFILE, name: 'Books & Tea', address: ['High Street 1'], taxNumber: 'DE1', closingLine: 'Thank you' };
    await test.database.write((tx) => changeShop(tx, { profile, timeZone: 'Europe/Berlin' }));
    const { content } = await issue(await sold());
    expect(content).toMatchObject({
      ...{ kind: 'sale', number: 'S-2026-000001', timeZone: 'Europe/Berlin', assetCode: 'USD', assetScale: 2 },
      shop: { name: 'Books & Tea', address: ['High Street 1'], taxNumber: 'DE1', closingLine: 'Thank you', logo: null },
      account: { name: 'shop', walletAddress: 'http://127.0.0.1:3000/shop' },
      lines: [{ text: 'Rose', quantity: 2_000, amount: 500n, net: 420n, taxAmount: 80n }],
      rates: [{ ...TAX, net: 420n, taxAmount: 80n }],
      ...{ net: 420n, taxAmount: 80n, tip: 50n, total: 550n, paid: 550n, paidBy: 'open_payments', refundOf: null },
    });
  });

  it('is issued once, and no later change of the shop changes it', async () => {
    const id = await sold();
    const first = await issue(id);
    await test.database.write((tx) => changeShop(tx, { profile: { ...EMPTY_PROFILE, name: 'Another shop' }, timeZone: 'Asia/Tokyo' }));
    test.clock.advance(400 * 86_400_000);
    expect(await issue(id)).toEqual(first);
    expect((await test.database.read.select().from(events)).filter(({ type }) => type === 'receipt.issued')).toHaveLength(1);
    expect(await numberOf(await sold())).toBe('S-2027-000001');
  });

  it('says what was paid of what when only a part came', async () => {
    const id = await ask({ amount: 1_000n, description: 'Two roses', expiresAt: test.clock.now() + 60_000 });
    await bring(id, 400n);
    expect(await receipts.issue({ kind: 'sale', id })).toEqual({ ok: false, error: 'still_open' });
    test.clock.advance(60_000);
    expect((await issue(id)).content).toMatchObject({ lines: [{ text: 'Two roses', amount: 1_000n }], total: 1_000n, paid: 400n });
  });

  it('is not there where nothing has come, or nothing is', async () => {
    const id = await ask({ amount: 1_000n });
    expect(await receipts.issue({ kind: 'sale', id })).toEqual({ ok: false, error: 'nothing_received' });
    expect(await receipts.issue({ kind: 'sale', id: randomUUID() })).toEqual({ ok: false, error: 'not_found' });
    expect(await receipts.issue({ kind: 'refund', id })).toEqual({ ok: false, error: 'not_found' });
  });

  it('never has the words of an app, which the shop would sign', async () => {
    const id = await sold({ amount: 5n, description: 'I owe Eve a million', client: 'https://eve.example' });
    const { jws, content } = await issue(id);
    expect(content?.lines).toMatchObject([{ text: '', amount: 5n }]);
    expect(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()).not.toContain('Eve');
  });

  it('says nothing of the shop but the name of the account while nobody has named the shop', async () => {
    await test.database.write((tx) => changeShop(tx, { profile: { ...EMPTY_PROFILE, address: ['My home'], taxNumber: '1' } }));
    const { content } = await issue(await sold());
    expect(content?.shop).toEqual({ name: 'shop', address: [], taxNumber: '', logo: null, closingLine: '' });
  });

  it('names who paid to the operator, and not in what is signed', async () => {
    const id = await sold();
    const payer = 'https://wallet.example/ann';
    await test.database.write((tx) => notePayer(tx, { incomingPaymentId: id, payer, amount: 550n }, test.clock.now()));
    const { payers, jws } = await issue(id);
    expect(payers).toEqual([{ walletAddress: payer, amount: '550' }]);
    expect(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()).not.toContain('ann');
  });

  it('adds up, and is what the bill came to', async () => {
    const line = fc.record({
      text: fc.string({ maxLength: 5 }).map((text) => text.replaceAll('\0', '')),
      quantity: fc.integer({ min: 1, max: 5_000 }),
      unitPrice: fc.bigInt({ min: 1n, max: 100_000n }),
      tax: fc.option(fc.record({ name: fc.constantFrom('VAT', 'Reduced'), rate: fc.constantFrom(0, 7_000, 8_875) }), { nil: null }),
    });
    const bills = fc.record({
      pricesIncludeTax: fc.boolean(),
      rounding: fc.constantFrom('line' as const, 'total' as const),
      lines: fc.array(line, { minLength: 1, maxLength: 5 }),
      tip: fc.bigInt({ min: 1n, max: 5_000n }),
    });
    let issued = 0;
    await fc.assert(
      fc.asyncProperty(bills, async (bill) => {
        const counted = countBill(bill);
        const { content } = await issue(await sold({ bill }));
        issued += 1;
        if (content === undefined || counted === undefined) throw new Error('no receipt');
        expect(addsUp(content)).toBe(true);
        expect(content).toMatchObject({ ...counted, lines: counted.lines, paid: counted.total });
        expect(content.number).toBe(`S-2026-${String(issued).padStart(6, '0')}`);
      }),
      { numRuns: 25 },
    );
  });
});

describe('a receipt of a refund', () => {
  const settled = async (id: string) => {
    const rows = () => refundsOf(test.database.read, id, { most: 100 });
    while ((await rows()).some(({ state }) => state === 'pending')) {
      await test.refundWorker.runOnce();
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const { outgoingPaymentId } of await rows()) await test.finished(outgoingPaymentId ?? '');
  };

  it('says what was given back, with its share of tax and tip, and of which sale', async () => {
    const buyer = await test.account('buyer', 10_000n);
    const id = await ask({ bill: BILL });
    const payee = test.urls.incomingPayment(id);
    const quote = await test.operatorPayments.quote({ requestId: randomUUID(), from: buyer, payee });
    if (!quote.ok) throw new Error(quote.error.code);
    const payment = await test.operatorPayments.pay({ requestId: randomUUID(), from: buyer, quoteId: quote.value.id });
    if (!payment.ok) throw new Error(payment.error.code);
    await test.finished(payment.value.id);
    const sale = await numberOf(id);
    const refundId = randomUUID();
    await test.refunds.create({ id: refundId, incomingPaymentId: id, amount: 275n, reason: 'Wilted', by: { id: 'owner', role: 'owner' } });
    expect(await receipts.issue({ kind: 'refund', id: refundId })).toEqual({ ok: false, error: 'refund_not_done' });
    await settled(id);
    const issued = await receipts.issue({ kind: 'refund', id: refundId });
    expect(issued.ok && issued.value.content).toMatchObject({
      ...{ number: 'R-2026-000001', refundOf: sale, reason: 'Wilted', total: 275n, paid: 275n },
      ...{ net: 210n, taxAmount: 40n, tip: 25n, rates: [{ ...TAX, net: 210n, taxAmount: 40n }] },
    });
    expect(issued.ok && issued.value.content !== undefined && addsUp(issued.value.content)).toBe(true);
    expect((await receipts.find({ kind: 'sale', id }))?.payers).toEqual([{ walletAddress: 'http://127.0.0.1:3000/buyer', amount: '550' }]);
  });
});

describe('the numbers', () => {
  it('have no gap and come once when two processes issue at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => sold()));
    const second = open(test.test.again());
    const wanted = ids.flatMap((id) => [numberOf(id), numberOf(id, second)]);
    const found = await Promise.all(wanted);
    const expected = ids.map((_, nth) => `S-2026-${String(nth + 1).padStart(6, '0')}`);
    expect([...new Set(found)].sort()).toEqual(expected);
    expect(found).toHaveLength(40);
  });

  it('begin anew, and do not come again, in books that were put back from a copy', async () => {
    expect(await numberOf(await sold())).toBe('S-2026-000001');
    await test.database.write((tx) => beginNewSeries(tx));
    expect(await numberOf(await sold())).toBe('S-2026B-000001');
    await test.database.write((tx) => beginNewSeries(tx));
    expect(await numberOf(await sold())).toBe('S-2026C-000001');
  });
});

describe('the prints', () => {
  it('are counted, so that every paper after the first is a copy', async () => {
    const id = await sold();
    const issued = await issue(id);
    expect(issued.printed).toBe(0);
    const counts = await Promise.all([1, 2, 3].map(async () => (await receipts.notePrint({ kind: 'sale', id }))?.printed));
    expect(counts.sort()).toEqual([1, 2, 3]);
    expect(await receipts.find({ kind: 'sale', id })).toMatchObject({ jws: issued.jws, printed: 3 });
    expect(await receipts.notePrint({ kind: 'sale', id: randomUUID() })).toBeUndefined();
  });
});

describe('the check', () => {
  const changed = (jws: string, from: string, to: string) => {
    const [head, payload = '', signature] = jws.split('.');
    const text = Buffer.from(payload, 'base64url').toString();
    if (!text.includes(from)) throw new Error(`no ${from} in ${text}`);
    return [head, Buffer.from(text.replace(from, to)).toString('base64url'), signature].join('.');
  };

  it('anybody can do it with the published key', async () => {
    const { jws, content } = await issue(await sold());
    const [jwk] = receipts.jwks.keys;
    if (jwk === undefined) throw new Error('no key');
    const { payload, protectedHeader } = await compactVerify(jws, await importJWK({ ...jwk }, 'EdDSA'));
    expect(new TextDecoder().decode(payload)).toBe(canonicalText(content));
    expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: jwk.kid, typ: 'paydesk-receipt+jws' });
  });

  it('knows its own receipts by their link and by their signed text, and notices one changed cent', async () => {
    const { jws, secret } = await issue(await sold());
    const link = `https://pay.example/receipt/${secret}`;
    for (const text of [link, ` ${link}?paper=roll80\n`, secret, jws, jws.replace('.', '.\n')])
      expect(await receipts.check(text)).toMatchObject({ found: 'unchanged', secret, content: { total: 550n } });
    expect(await receipts.check(changed(jws, '"total":"550"', '"total":"551"'))).toEqual({ found: 'changed' });
    for (const text of ['', 'a.b.c', link.slice(0, -1), `${link}x`, 'https://pay.example/receipt/check'])
      expect((await receipts.check(text)).found).toMatch(/changed|unknown/);
    fc.assert(
      fc.property(fc.nat(jws.length - 1), fc.constantFrom('A', 'z', '-', '='), (at, letter) => {
        const other = jws.slice(0, at) + letter + jws.slice(at + 1);
        expect(new ReceiptKeys({ stream: Buffer.alloc(32, 7) }).open(other) === undefined || other === jws || at >= jws.length - 1).toBe(
          true,
        );
      }),
    );
  });

  it('says when the books do not have what the node signed, and when the books were changed', async () => {
    const { jws, secret } = await issue(await sold());
    await test.test.tamper(`update receipts set jws = '${changed(jws, '"total":"550"', '"total":"1"')}'`);
    expect(await receipts.check(secret)).toEqual({ found: 'changed' });
    expect(await receipts.check(jws)).toMatchObject({ found: 'not_kept', content: { total: 550n } });
    await test.test.tamper('delete from receipts');
    expect(await receipts.check(secret)).toEqual({ found: 'unknown' });
    expect(await receipts.check(jws)).toMatchObject({ found: 'not_kept' });
  });

  it('takes nothing that another node signed', async () => {
    const other = new ReceiptKeys({ stream: Buffer.alloc(32, 8) });
    expect(await receipts.check(other.sign('{}'))).toEqual({ found: 'changed' });
  });
});
