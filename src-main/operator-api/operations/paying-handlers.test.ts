import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EMPTY_PROFILE } from '../../../src-shared/shop/shop-profile.ts';
import { messagesIn } from '../../../src-shared/words/language/language.ts';
import { Elsewhere } from '../../payments/testing/elsewhere.ts';
import { openPayments } from '../../payments/testing/payments.ts';
import { ManualClock } from '../../platform/clock.ts';
import { changeShop } from '../../shop/shop.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../testing/desk.ts';

describe.each(Object.entries(TRANSPORTS))('paying as the operator over %s', (_name, connect) => {
  let desk: Desk;
  let client: Client;
  let disconnect: () => Promise<void>;
  let shop: WalletAddress;
  let till: WalletAddress;

  beforeEach(async () => {
    desk = openDesk();
    ({ client, close: disconnect } = await connect(desk));
    shop = await desk.account('shop', 0n);
    till = await desk.account('till', 10_000n);
    await desk.worker.start();
  });
  afterEach(async () => {
    await disconnect();
    await desk.close();
  });

  const urlOf = (account: WalletAddress) => desk.walletAddresses.urlOf(account);
  const quote = (payee: string, more: { send?: bigint; deliver?: bigint; requestId?: string; note?: string } = {}) =>
    client.payments.quote({ requestId: randomUUID(), accountId: till.id, payee, ...more });

  it('pays a quote once, even when it is called twice, and both sides show the payment as completed', async () => {
    const payee = await client.payments.payee({ accountId: till.id, payee: ` ${urlOf(shop)}/ ` });
    expect(payee).toMatchObject({
      kind: 'wallet-address',
      name: 'shop',
      own: true,
      asked: null,
      asset: { assetCode: 'USD', assetScale: 2 },
    });
    const { id: quoteId, debitAmount, receiveAmount } = await quote(urlOf(shop), { send: 1_250n, note: 'Rent' });
    expect([debitAmount.value, receiveAmount.value]).toEqual([1_250n, 1_250n]);
    const request = { requestId: randomUUID(), accountId: till.id, quoteId, note: 'Rent' };
    const paid = await Promise.all([client.payments.pay(request), client.payments.pay(request)]);
    expect(paid[0]?.id).toBe(paid[1]?.id);
    expect(paid[0]).toMatchObject({ client: null, grantId: null, description: 'Rent' });
    await desk.finished(paid[0]?.id ?? '');
    expect((await client.payments.pay(request)).status).toBe('completed');
    const { items } = await client.payments.list({ direction: 'in' });
    expect(items).toMatchObject([{ status: 'paid', description: 'Rent', progress: { value: 1_250n } }]);
    expect((await client.accounts.get({ id: till.id })).balance).toBe(8_750n);
  });

  it('pays what an incoming payment still asks for, found by either of its links', async () => {
    const invoice = await desk.incomingPayments.create({
      walletAddress: shop,
      client: null,
      incomingAmount: { value: 700n, assetCode: 'USD', assetScale: 2 },
    });
    if (!invoice.ok) throw new Error(invoice.error);
    for (const link of [desk.urls.checkout(invoice.value.id), desk.urls.incomingPayment(invoice.value.id)]) {
      expect(await client.payments.payee({ accountId: till.id, payee: link })).toMatchObject({ asked: { value: 700n }, name: 'shop' });
    }
    const { id: quoteId } = await quote(desk.urls.checkout(invoice.value.id));
    const { id } = await client.payments.pay({ requestId: randomUUID(), accountId: till.id, quoteId });
    expect((await desk.finished(id)).state).toBe('completed');
    await expect(quote(desk.urls.checkout(invoice.value.id))).rejects.toMatchObject({ code: 'PAYEE_CLOSED' });
  });

  it('creates one incoming payment for repeated calls with the same request id', async () => {
    const requestId = randomUUID();
    await quote(urlOf(shop), { send: 5n, requestId });
    await quote(urlOf(shop), { send: 5n, requestId });
    expect((await client.payments.list({ direction: 'in' })).items).toHaveLength(1);
  });

  it.each<[string, string, (origin: string) => string, { send?: bigint; deliver?: bigint }]>([
    ['a payee that does not exist', 'PAYEE_UNKNOWN', (origin) => `${origin}/nobody`, { send: 5n }],
    ['the node itself', 'PAYEE_UNREACHABLE', (origin) => origin, { send: 5n }],
    ['an unreachable wallet', 'PAYEE_UNREACHABLE', () => '$other.example/alice', { send: 5n }],
    ['no amount', 'AMOUNT_NEEDED', (origin) => `${origin}/shop`, {}],
    ['two amounts', 'BAD_REQUEST', (origin) => `${origin}/shop`, { send: 5n, deliver: 5n }],
    ['another currency without a rate', 'NO_RATE', (origin) => `${origin}/euro`, { send: 5n }],
  ])('refuses %s with an error code of its own', async (_what, code, payee, amount) => {
    await desk.account('euro', 0n, 'EUR');
    await expect(quote(payee(desk.urls.origin), amount)).rejects.toMatchObject({ code });
  });

  it('pays neither more than the account has nor by a quote that has ended', async () => {
    const dear = await quote(urlOf(shop), { send: 10_001n });
    const pay = (quoteId: string) => client.payments.pay({ requestId: randomUUID(), accountId: till.id, quoteId });
    await expect(pay(dear.id)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    const old = await quote(urlOf(shop), { send: 1n });
    desk.clock.advance(300_000);
    await expect(pay(old.id)).rejects.toMatchObject({ code: 'QUOTE_ENDED' });
    await expect(pay(randomUUID())).rejects.toMatchObject({ code: 'QUOTE_ENDED' });
    expect((await client.accounts.get({ id: till.id })).balance).toBe(10_000n);
  });
});

it.each(Object.entries(TRANSPORTS))('the operator is shown what another wallet asks for, in any asset, over %s', async (_name, connect) => {
  const elsewhere = new Elsewhere(new ManualClock(Date.UTC(2026, 0, 1)), { assetCode: 'Miles', assetScale: 255 });
  const desk = openDesk(openPayments({ remote: elsewhere }));
  const { client, close } = await connect(desk);
  const { id: accountId } = await desk.account('till', 10_000n);
  const payee = elsewhere.invoice(700n);
  expect(await client.payments.payee({ accountId, payee })).toMatchObject({ asked: { ...elsewhere.asset, value: 700n } });
  await expect(client.payments.quote({ requestId: randomUUID(), accountId, payee })).rejects.toMatchObject({ code: 'NO_ROUTE' });
  await close();
  await desk.close();
});

describe('the export of payments', () => {
  it.each(Object.entries(TRANSPORTS))('comes in parts over %s: all that matches, nothing else, no formula', async (_name, connect) => {
    const desk = openDesk();
    const { client, close } = await connect(desk);
    const shop = await desk.account('shop', 0n);
    for (let n = 0; n < 450; n += 1) {
      desk.clock.advance(1);
      const metadata = n === 7 ? { description: '=1+1,"x"', externalRef: 'EVIL' } : { description: `Sale ${n}` };
      await desk.incomingPayments.create({
        walletAddress: shop,
        client: null,
        metadata,
        incomingAmount: { value: 1_234n, assetCode: 'USD', assetScale: 2 },
      });
    }
    const parts: { csv: string; rows: number; of: number }[] = [];
    for await (const part of await client.payments.export({ text: 'sale' })) parts.push(part);
    expect(parts.map(({ rows, of }) => [rows, of])).toEqual([
      [200, 449],
      [400, 449],
      [449, 449],
    ]);
    const lines = parts
      .map(({ csv }) => csv)
      .join('')
      .split('\r\n');
    expect(lines).toHaveLength(451);
    expect(lines[0]).toMatch(/^\uFEFF"created","last_change","direction"/);
    expect(lines[1]).toMatch(/^"2026-01-01T00:00:00\.450Z",.*"in","Waiting","shop","USD","12\.34","0\.00","Sale 449"/);
    let evil = '';
    for await (const part of await client.payments.export({ reference: 'evil' })) evil += part.csv;
    expect(evil).toContain(`"'=1+1,""x"""`);
    const controller = new AbortController();
    const stopped = (async () => {
      for await (const _part of await client.payments.export({}, { signal: controller.signal })) controller.abort();
    })();
    await expect(stopped).rejects.toThrow();
    await close();
    await desk.close();
  });
});

it.each(Object.entries(TRANSPORTS))(
  'the export of payments for people has the shop’s day and the style of a language over %s',
  async (_name, connect) => {
    const desk = openDesk();
    const { client, close } = await connect(desk);
    const shop = await desk.account('shop', 0n);
    await desk.database.write((tx) => changeShop(tx, { timeZone: 'Europe/Berlin', profile: { ...EMPTY_PROFILE, dayEndsAt: 180 } }));
    // It is 02:30 in Berlin then, and the shop's day ends at three.
    desk.clock.advance(Date.UTC(2026, 6, 2, 0, 30) - desk.clock.now());
    const incomingAmount = { value: 1_234n, assetCode: 'USD', assetScale: 2 };
    await desk.incomingPayments.create({ walletAddress: shop, client: null, incomingAmount });
    const rowOf = async (form: { format?: 'csv' | 'spreadsheet'; language?: string }, delimiter: string) => {
      let csv = '';
      for await (const part of await client.payments.export(form)) csv += part.csv;
      const [row] = parse(csv, { columns: true, delimiter, bom: true }) as Record<string, string>[];
      return row;
    };
    const german = await rowOf({ format: 'spreadsheet', language: 'de-AT' }, ';');
    expect(german).toMatchObject({
      ...{ created: '2026-07-02T00:30:00.000Z', day: '01.07.2026', time: '02.07.2026 02:30:00' },
      ...{ status: messagesIn('de').payments.statuses.waiting, amount: '12,34', moved: '0,00' },
    });
    expect(await rowOf({ format: 'spreadsheet', language: 'en' }, ',')).toMatchObject({
      ...{ day: '2026-07-01', time: '2026-07-02 02:30:00', status: 'Waiting', amount: '12.34' },
    });
    const plain = await rowOf({ language: 'de' }, ',');
    expect(plain).toMatchObject({ created: '2026-07-02T00:30:00.000Z', status: 'Waiting', amount: '12.34' });
    expect(Object.keys(german ?? {}).filter((name) => !['day', 'time'].includes(name))).toEqual(Object.keys(plain ?? {}));
    await close();
    await desk.close();
  },
);
