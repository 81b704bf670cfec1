import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttemptFailure } from '../../../src-shared/attempt-failures.ts';
import { checkouts } from '../../checkout/tables.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../testing/desk.ts';

let desk: Desk;
let client: Client;
let close: () => Promise<void>;
let shop: WalletAddress;
beforeEach(async () => {
  desk = openDesk();
  const transport = TRANSPORTS['a port'];
  if (transport === undefined) throw new Error('no transport');
  ({ client, close } = await transport(desk));
  shop = await desk.account('shop', 0n);
});
afterEach(async () => {
  await close();
  await desk.close();
});

const ask = (more: Partial<Parameters<Client['requests']['create']>[0]> = {}) =>
  client.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: 2_600n, ...more });
const later = (ms: number) => new Date(desk.clock.now() + ms);

describe('asking to be paid', () => {
  it('makes an incoming payment of the operator, with its public link', async () => {
    const made = await ask({ description: ' Two books ', reference: 'INV-7', note: ' For Ann ', expiresAt: later(3_600_000) });
    expect(made).toMatchObject({
      direction: 'in',
      status: 'waiting',
      amount: { value: 2_600n, assetCode: 'USD', assetScale: 2 },
      description: 'Two books',
      reference: 'INV-7',
      note: 'For Ann',
      client: null,
      link: `http://127.0.0.1:3000/pay/${made.id}`,
      expiresAt: later(3_600_000),
    });
    const stored = await desk.incomingPayments.find(made.id);
    expect(stored).toMatchObject({ incomingAmount: 2_600n, note: null });
    expect(stored?.metadata).toEqual({ description: 'Two books' });
    expect((await client.payments.list({ text: 'for ann' })).items).toMatchObject([{ id: made.id, note: 'For Ann' }]);
    expect((await client.payments.list({ reference: 'inv-7' })).items).toMatchObject([{ id: made.id, reference: 'INV-7' }]);
    expect(await client.payments.get({ id: made.id })).toMatchObject({ note: 'For Ann', reference: 'INV-7', madeAt: 'desk' });
    expect(await client.requests.get({ id: made.id })).toEqual(made);
  });

  it('creates one payment request for repeated calls with the same request id', async () => {
    const requestId = randomUUID();
    const answers = await Promise.all([ask({ requestId }), ask({ requestId }), ask({ requestId })]);
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([requestId]));
    expect((await client.requests.open()).items).toHaveLength(1);
    const other = await desk.account('other', 0n);
    await expect(ask({ requestId, accountId: other.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('lets the payer decide when it names no amount, and stores only what the operator typed', async () => {
    const { id } = await client.requests.create({ requestId: randomUUID(), accountId: shop.id });
    expect(await desk.incomingPayments.find(id)).toMatchObject({ incomingAmount: null, metadata: null, expiresAt: null });
  });

  it('keeps where the payer goes on, if that is a page that a browser may be led to', async () => {
    for (const returnUrl of ['https://web-shop.example/orders/7?a=b#c', 'http://localhost:3000/', 'http://[::1]/'])
      expect(await ask({ returnUrl })).toMatchObject({ returnUrl });
    expect(await ask()).toMatchObject({ returnUrl: null });
    const others = ['http://web-shop.example/', 'javascript:alert(1)', 'data:text/html,x', '//web-shop.example/', '/orders/7', 'https://'];
    for (const returnUrl of [...others, 'https://user:secret@web-shop.example/', `https://web-shop.example/${'x'.repeat(2_048)}`])
      await expect(ask({ returnUrl }), returnUrl).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('is refused when its account, its end or its amount is impossible', async () => {
    await expect(ask({ accountId: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(ask({ expiresAt: later(0) })).rejects.toMatchObject({ code: 'INVALID_EXPIRY' });
    await expect(ask({ amount: 0n })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(client.requests.get({ id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await client.requests.open()).items).toEqual([]);
  });
});

describe('the operator’s own notes', () => {
  it('can be changed after the request has ended, and are found by their new words only', async () => {
    const { id } = await ask({ description: 'Two books', note: 'For Ann', reference: 'INV-7' });
    await client.payments.complete({ id });
    const before = await desk.incomingPayments.find(id);
    expect(await client.requests.changeNotes({ id, note: 'For Bob' })).toMatchObject({ note: 'For Bob', reference: null });
    const found = async (text: string) => (await client.payments.list({ text })).items.map((one) => one.id);
    expect([await found('for ann'), await found('inv-7'), await found('for bob'), await found('two books')]).toEqual([[], [], [id], [id]]);
    // Clients see nothing of it, so for them nothing has changed.
    expect((await desk.incomingPayments.find(id))?.updatedAt).toBe(before?.updatedAt);
    const app = await desk.incomingPayments.create({ walletAddress: shop, client: 'https://app.example/till' });
    if (!app.ok) throw new Error(app.error);
    for (const other of [app.value.id, randomUUID()])
      await expect(client.requests.changeNotes({ id: other, note: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of a request from an older version stay as they are until they are changed', async () => {
    const metadata = { externalRef: 'OLD-1' };
    const made = await desk.incomingPayments.create({ walletAddress: shop, client: null, metadata });
    if (!made.ok) throw new Error(made.error);
    const { id } = made.value;
    await desk.test.tamper(`update incoming_payments set note = 'Pays late' where id = '${id}'`);
    expect(await client.requests.get({ id })).toMatchObject({ note: 'Pays late', reference: 'OLD-1', madeAt: null, cancelReason: null });
    expect(await client.requests.cancel({ id, reason: 'Sold out' })).toMatchObject({
      ...{ note: 'Pays late', reference: 'OLD-1', status: 'cancelled', cancelReason: 'Sold out' },
    });
    expect(await client.requests.changeNotes({ id, reference: 'OLD-2' })).toMatchObject({ note: null, reference: 'OLD-2' });
    expect((await desk.incomingPayments.find(id))?.metadata).toEqual(metadata);
  });

  it('are not stored when the request is not', async () => {
    await expect(ask({ accountId: shop.id, expiresAt: later(0), note: 'lost' })).rejects.toMatchObject({ code: 'INVALID_EXPIRY' });
    expect(await desk.test.look('select id from payment_requests')).toEqual([]);
  });
});

describe('cancelling', () => {
  it('keeps the first reason, and says when the request is paid or has ended', async () => {
    const { id } = await ask();
    expect(await client.requests.cancel({ id, reason: ' Sold out ' })).toMatchObject({ status: 'cancelled', cancelReason: 'Sold out' });
    expect(await client.requests.cancel({ id, reason: 'Another' })).toMatchObject({ status: 'cancelled', cancelReason: 'Sold out' });
    const { id: silent } = await ask();
    expect(await client.requests.cancel({ id: silent, reason: '  ' })).toMatchObject({ status: 'cancelled', cancelReason: null });
    const { id: late } = await ask({ expiresAt: later(1_000) });
    desk.clock.advance(1_000);
    await expect(client.requests.cancel({ id: late })).rejects.toMatchObject({ code: 'EXPIRED' });
    await expect(client.requests.cancel({ id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('changes nothing of a request that was paid before', async () => {
    const { id } = await ask({ amount: 300n });
    await desk.test.tamper(`update incoming_payments set received = 300, completed = 1 where id = '${id}'`);
    expect(await client.requests.cancel({ id, reason: 'Sold out' })).toMatchObject({ status: 'paid', cancelReason: null });
  });
});

it('who takes money sees the accounts without what is in them, and finds each by its name or id', async () => {
  // Accounts of the same millisecond are listed by chance.
  desk.clock.advance(1);
  const other = await desk.account('market', 700n);
  const seen = { id: other.id, name: other.name, publicName: other.publicName, assetCode: 'USD', assetScale: 2 };
  expect((await client.requests.accounts({})).items).toEqual([expect.objectContaining({ id: shop.id }), seen]);
  expect((await client.requests.accounts({ text: 'arke' })).items).toEqual([seen]);
  expect((await client.requests.accounts({ id: other.id })).items).toEqual([seen]);
  expect((await client.requests.accounts({ id: randomUUID() })).items).toEqual([]);
});

describe('sales at the till', () => {
  it('lapse after ten minutes, or as the shop has set it, also when the call is repeated later', async () => {
    const sale = await ask({ madeAt: 'till' });
    expect(sale).toMatchObject({ madeAt: 'till', expiresAt: later(600_000) });
    expect(await client.settings.till()).toMatchObject({ lapseMinutes: 10 });
    await client.settings.setTill({ lapseMinutes: 3 });
    desk.clock.advance(60_000);
    expect(await ask({ requestId: sale.id, madeAt: 'till' })).toEqual(sale);
    expect(await ask({ madeAt: 'till' })).toMatchObject({ expiresAt: later(180_000) });
    await client.settings.setTimeZone({ timeZone: 'UTC' });
    expect(await client.settings.till()).toMatchObject({ lapseMinutes: 3 });
    for (const lapseMinutes of [0, 1_441, 2.5])
      await expect(client.settings.setTill({ lapseMinutes })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('are listed for the shop’s day, newest first, without those of other places', async () => {
    await client.settings.setTimeZone({ timeZone: 'Asia/Tokyo' });
    const yesterday = await ask({ madeAt: 'till' });
    // In Tokyo the day of this clock, which stands at midnight UTC, began nine hours ago.
    desk.clock.advance(15 * 3_600_000 - 1);
    const early = await ask({ madeAt: 'till' });
    expect((await client.requests.sales()).items.map(({ id }) => id)).toEqual([early.id, yesterday.id]);
    desk.clock.advance(1);
    const today = await ask({ madeAt: 'till' });
    await ask();
    expect(await client.requests.sales()).toEqual({ items: [today], more: false });
    expect((await client.payments.list({ madeAt: 'till' })).items.map(({ id }) => id).sort()).toEqual(
      [yesterday.id, early.id, today.id].sort(),
    );
    expect((await client.payments.list({ madeAt: 'desk' })).items).toHaveLength(1);
    expect(await client.payments.summary({ madeAt: 'till' })).toMatchObject({ count: 3 });
  });
});

it('the list of payment requests has what still takes money, without what an app asked for and what is completed or has ended', async () => {
  const [kept, completed, ended] = [await ask(), await ask(), await ask({ expiresAt: later(1_000) })];
  await desk.incomingPayments.create({ walletAddress: shop, client: 'https://app.example/till' });
  await client.payments.complete({ id: completed.id });
  expect((await client.requests.open()).items.map(({ id }) => id).sort()).toEqual([kept.id, ended.id].sort());
  desk.clock.advance(1_000);
  expect(await client.requests.open()).toMatchObject({ items: [{ id: kept.id }], more: false });
  expect(await client.requests.get({ id: ended.id })).toMatchObject({ status: 'expired' });
  expect(await client.requests.get({ id: completed.id })).toMatchObject({ status: 'cancelled' });
  for (let n = 0; n < 50; n++) await ask();
  const { items, more } = await client.requests.open();
  expect([items.length, more]).toEqual([50, true]);
});

it('a payment request tells why visitors could not pay, newest first and the last few only', async () => {
  const [{ id }, other] = [await ask(), await ask()];
  const at = desk.clock.now();
  const attempt = (incomingPaymentId: string, reason: AttemptFailure | null, createdAt: number) => ({
    ...{ id: randomUUID(), incomingPaymentId, reason, state: reason === null ? ('paid' as const) : ('failed' as const) },
    ...{ visitorHash: 'hash', walletAddress: 'typed by somebody', amount: 1n, sealed: null, outgoingPayment: null, tries: 0 },
    ...{ dueAt: null, createdAt, lapsesAt: createdAt, updatedAt: createdAt + 1 },
  });
  expect(await client.requests.failedAttempts({ id })).toEqual([]);
  await desk.database.write(async (tx) => {
    for (let n = 0; n < 6; n++) await tx.insert(checkouts).values(attempt(id, 'wallet_refused', at + n));
    await tx.insert(checkouts).values([attempt(id, null, at + 8), attempt(id, 'rejected', at + 9), attempt(other.id, 'closed', at)]);
  });
  const told = await client.requests.failedAttempts({ id });
  expect(told.map(({ reason }) => reason)).toEqual(['rejected', ...Array(4).fill('wallet_refused')]);
  expect(told[0]).toMatchObject({ wallet: 'typed by somebody', at: new Date(at + 10) });
});
