import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeyGroup } from '../../../src-shared/people/key-groups.ts';
import { notePayer } from '../../payments/refunds/payers.ts';
import { ask } from '../testing/ask.ts';
import { type Client, type Desk, openDesk } from '../testing/desk.ts';
import { fill, type Things } from '../testing/filled-account.ts';
import { callWith, clientWith } from '../testing/operations.ts';
import { refuseBeyond } from './narrowed.ts';

let desk: Desk;
let url: string;
let owner: Client;
let close: () => Promise<void>;
/** Two accounts of the key, and one that it must not know. */
let shop: Things;
let cafe: Things;
let hidden: Things;
let value: string;
let key: Client;
beforeEach(async () => {
  desk = openDesk();
  ({ url, close } = await desk.startConsole());
  owner = clientWith(url, desk.token());
  const payee = desk.walletAddresses.urlOf(await desk.account('supplier', 0n));
  [shop, hidden, cafe] = [
    await fill(desk, owner, 'shop', payee),
    await fill(desk, owner, 'hidden', payee),
    await fill(desk, owner, 'cafe', payee),
  ];
  const accounts = [shop.account.id, cafe.account.id];
  ({ value } = await owner.apiKeys.create({ name: 'web shop', role: 'manager', accounts }));
  key = clientWith(url, value);
});
afterEach(async () => {
  await close();
  await desk.close();
});

/** Each of these answers with this error. */
const allRefused = async (asked: readonly Promise<unknown>[], error: object) => {
  for (const answer of await Promise.allSettled(asked)) expect(answer).toMatchObject({ status: 'rejected', reason: error });
};
const NOT_FOUND = { code: 'NOT_FOUND', status: 404 };
const own = () => new Set([shop.account.id, cafe.account.id]);
const accountsOf = (rows: readonly { accountId: string }[]) => new Set(rows.map(({ accountId }) => accountId));

describe('a key for the shop and the café asks for the payments of a third account', () => {
  it('by their ids, and finds nothing, as with an id that nobody has', async () => {
    for (const id of [hidden.paid, hidden.open, hidden.sent, randomUUID()]) {
      await expect(key.payments.get({ id })).rejects.toMatchObject({ ...NOT_FOUND, message: 'There is no such payment.' });
      await expect(key.payments.archived({ id })).rejects.toMatchObject(NOT_FOUND);
      await expect(key.requests.failedAttempts({ id })).rejects.toMatchObject(NOT_FOUND);
      const rest = await ask(url, 'GET', `/operator/api/payments/${id}`, { authorization: `Bearer ${value}` });
      expect([rest.status, rest.body.includes('hidden')]).toEqual([404, false]);
    }
    expect((await key.payments.get({ id: shop.sent })).accountId).toBe(shop.account.id);
    expect((await key.payments.get({ id: cafe.paid })).accountId).toBe(cafe.account.id);
  });

  it('page by page, and gets its own in pages that are full', async () => {
    const all = (await owner.payments.list({})).items.filter(({ accountId }) => own().has(accountId));
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Awaited<ReturnType<Client['payments']['list']>> = await key.payments.list({ limit: 2, ...(cursor && { cursor }) });
      if (page.nextCursor !== null) expect(page.items).toHaveLength(2);
      found.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual(all.map(({ id }) => id));
    expect(found.length).toBeGreaterThan(4);
  });

  it('by the cursor and the place of the owner’s list, and by their number', async () => {
    const { nextCursor, place } = await owner.payments.list({ limit: 1 });
    for (const wanted of [{ cursor: nextCursor ?? '' }, { until: place ?? '' }, { offset: 0 }, { offset: 1 }])
      expect([...accountsOf((await key.payments.list(wanted)).items)].filter((id) => !own().has(id))).toEqual([]);
  });

  it('by words, by a reference, by the account, by an amount and by a state', async () => {
    for (const wanted of [{ text: 'hidden' }, { text: hidden.paid }, { reference: 'R-hidden' }, { accountId: hidden.account.id }]) {
      expect(await key.payments.list(wanted)).toMatchObject({ items: [], place: null });
      expect(await key.payments.summary(wanted)).toMatchObject({ count: 0, totals: [] });
    }
    for (const wanted of [{ minAmount: '0.01' }, { status: 'paid' as const }, { madeAt: 'till' as const }, { direction: 'out' as const }]) {
      const { items } = await key.payments.list(wanted);
      expect(items.length).toBeGreaterThan(0);
      expect([...accountsOf(items)].filter((id) => !own().has(id))).toEqual([]);
    }
    expect((await key.payments.list({ text: 'for cafe' })).items.map(({ id }) => id)).toEqual([cafe.open, cafe.paid]);
  });

  it('by the sums, which count its own accounts only', async () => {
    const all = (await owner.payments.list({})).items.filter(({ accountId }) => own().has(accountId));
    const { count, totals } = await key.payments.summary({});
    expect(count).toBe(all.length);
    expect(totals).toMatchObject([{ received: 2_000n, sent: 20n }]);
  });

  it('by an export, which has neither its payments nor its cash', async () => {
    let csv = '';
    for await (const part of await key.payments.export({})) csv += part.csv;
    expect(csv).toContain('cash of cafe');
    expect(csv).toContain('for shop');
    expect(csv).not.toContain('hidden');
    for await (const part of await key.payments.export({ accountId: hidden.account.id }))
      expect(part.csv.trim().split('\n')).toHaveLength(1);
  });

  it('as payment requests: in the lists, by an id, by cancelling, and by ending', async () => {
    for (const { items } of [await key.requests.open(), await key.requests.sales()]) {
      expect(accountsOf(items)).toEqual(own());
      expect(items.map(({ id }) => id)).not.toContain(hidden.open);
    }
    const id = hidden.open;
    await allRefused([key.requests.get({ id }), key.requests.bill({ id }), key.requests.cancel({ id })], NOT_FOUND);
    await expect(key.payments.complete({ id })).rejects.toMatchObject({ code: 'KEY_OF_ACCOUNTS' });
    await expect(key.requests.changeNotes({ id, note: 'mine' })).rejects.toMatchObject(NOT_FOUND);
    expect(await owner.requests.get({ id })).toMatchObject({ status: 'waiting', note: null });
    expect((await key.requests.cancel({ id: shop.open })).status).toBe('cancelled');
  });

  it('by refunding them, by a claim, and by their receipts', async () => {
    const asked = { requestId: randomUUID(), paymentId: hidden.paid, amount: 1n };
    await expect(key.refunds.create(asked)).rejects.toMatchObject(NOT_FOUND);
    await expect(key.refunds.of({ paymentId: hidden.paid })).rejects.toMatchObject(NOT_FOUND);
    await expect(key.claims.make(asked)).rejects.toMatchObject(NOT_FOUND);
    await expect(key.claims.of({ paymentId: hidden.paid })).rejects.toMatchObject(NOT_FOUND);
    await expect(key.claims.cancel({ id: hidden.claim })).rejects.toMatchObject(NOT_FOUND);
    await expect(key.receipts.get({ kind: 'sale', id: hidden.paid })).rejects.toMatchObject(NOT_FOUND);
    expect((await owner.claims.of({ paymentId: hidden.paid })).claims).toMatchObject([{ state: 'open' }]);
    expect((await key.claims.cancel({ id: shop.claim })).state).toBe('cancelled');
  });

  it('by the claims that wait for a decision', async () => {
    await desk.test.tamper("update claims set state = 'deciding'");
    const waiting = async (client: Client) => (await client.claims.waiting()).items.map(({ id }) => id).sort();
    expect(await waiting(key)).toEqual([shop.claim, cafe.claim].sort());
    expect(await waiting(owner)).toContain(hidden.claim);
  });

  it('by a request of its own under the id of a payment there', async () => {
    const asked = { accountId: shop.account.id, amount: 5n };
    await expect(key.requests.create({ ...asked, requestId: hidden.paid })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    // The two kinds of payments have tables of their own, so that this one can be made.
    await key.requests.create({ ...asked, requestId: hidden.sent });
    await expect(key.payments.get({ id: hidden.sent })).rejects.toMatchObject(NOT_FOUND);
    await expect(key.payments.archived({ id: hidden.sent })).rejects.toMatchObject(NOT_FOUND);
  });

  it('by a refund of its own under the id of a sale there', async () => {
    await desk.database.write((tx) =>
      notePayer(tx, { incomingPaymentId: cafe.paid, payer: 'https://wallet.example/ann', amount: 900n }, 1),
    );
    await key.refunds.create({ requestId: hidden.paid, paymentId: cafe.paid, amount: 1n });
    await expect(key.receipts.get({ kind: 'sale', id: hidden.paid })).rejects.toMatchObject(NOT_FOUND);
    await expect(key.receipts.print({ kind: 'sale', id: hidden.paid })).rejects.toMatchObject(NOT_FOUND);
    expect((await key.receipts.get({ kind: 'sale', id: cafe.paid })).content?.account.name).toBe(cafe.account.publicName);
  });

  it('by the events, also when it asks for those that were before', async () => {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${value}`, 'last-event-id': '0', 'content-type': 'application/json' };
    const answer = await fetch(`${url}/operator/rpc/node/changes`, { method: 'POST', headers, body: '{}', signal: leaving.signal });
    let told = '';
    const read = (async () => {
      for await (const part of answer.body ?? []) told += Buffer.from(part).toString();
    })().catch(() => undefined);
    await expect.poll(() => told).toContain('position');
    const requests = [hidden, shop].map(({ account }) => ({ requestId: randomUUID(), accountId: account.id, amount: 3n }));
    for (const asked of requests) await owner.requests.create(asked);
    await owner.accounts.deposit({ id: hidden.account.id, requestId: randomUUID(), amount: 1n, note: '' });
    await owner.requests.cancel({ id: hidden.open });
    await expect.poll(() => told).toContain(requests[1]?.requestId);
    leaving.abort();
    await read;
    for (const mark of [requests[0]?.requestId ?? '', hidden.account.id, hidden.open, hidden.paid]) expect(told).not.toContain(mark);
  });
});

it('a key for some accounts finds only these among the accounts, their books, statements and money', async () => {
  const id = hidden.account.id;
  expect((await key.accounts.list({})).items.map((one) => one.id)).toEqual([shop.account.id, cafe.account.id]);
  expect((await key.accounts.list({ text: 'hidden' })).items).toEqual([]);
  expect((await key.accounts.list({ limit: 1 })).items).toHaveLength(1);
  expect((await key.requests.accounts({})).items).toHaveLength(2);
  expect((await key.requests.accounts({ id })).items).toEqual([]);
  const day = new Date(desk.clock.now()).toISOString().slice(0, 10);
  await allRefused(
    [
      key.accounts.get({ id }),
      key.accounts.movements({ id }),
      key.accounts.deposit({ id, requestId: randomUUID(), amount: 1n, note: '' }),
      key.accounts.withdraw({ id, requestId: randomUUID(), amount: 1n, note: '' }),
      key.requests.create({ requestId: randomUUID(), accountId: id }),
      key.statements.look({ accountId: id, from: day, to: day }),
    ],
    NOT_FOUND,
  );
  expect((await key.accounts.get({ id: shop.account.id })).publicName).toBe(shop.account.publicName);
  expect((await key.statements.look({ accountId: shop.account.id, from: day, to: day })).assetCode).toBe('USD');
});

it('what DATEV asks for is remembered from a key for statements, and not from one for some accounts', async () => {
  const day = new Date(desk.clock.now()).toISOString().slice(0, 10);
  const period = { accountId: shop.account.id, from: day, to: day, format: 'datev' as const };
  const typed = (consultant: number) => ({
    ...{ consultant, client: 7, yearBegins: 1 },
    ...{ wallet: '1800', received: '4400', sent: '5900', transit: '1460' },
  });
  const batch = async (client: Client, wanted: Partial<Parameters<Client['statements']['export']>[0]> = {}) => {
    let text = '';
    for await (const part of await client.statements.export({ ...period, ...wanted })) text += part.text;
    return text;
  };
  const keyOf = async (role: 'accountant' | 'cashier', more: { groups?: KeyGroup[]; accounts?: string[] }) =>
    clientWith(url, (await owner.apiKeys.create({ name: `${role} ${randomUUID()}`, role, ...more })).value);
  const ofShop = await keyOf('accountant', { groups: ['readStatements'], accounts: [shop.account.id] });

  // Such a key says for its own file what DATEV asks for. The whole shop finds nothing of it.
  expect(await batch(ofShop, { datev: typed(2_222) })).toContain(';2222;7;');
  for (const one of [owner, ofShop]) expect(await one.statements.settings()).toEqual({ datev: null });
  await expect(batch(ofShop)).rejects.toMatchObject({ code: 'DATEV_NEEDED' });

  const books = await keyOf('accountant', { groups: ['readStatements'] });
  expect(await batch(books, { datev: typed(1_001) })).toContain(';1001;7;');
  expect(await batch(ofShop, { datev: typed(2_222) })).toContain(';2222;7;');
  for (const one of [owner, books, ofShop]) expect(await one.statements.settings()).toEqual({ datev: typed(1_001) });
  // Without numbers of its own it has those of the shop.
  expect(await batch(ofShop)).toContain(';1001;7;');
  await expect(batch(ofShop, { accountId: hidden.account.id, datev: typed(2_222) })).rejects.toMatchObject(NOT_FOUND);

  // Whose key is for something else neither reads nor sets them, and a wrong file remembers nothing.
  const payments = await keyOf('accountant', { groups: ['readPayments'] });
  const cashier = await keyOf('cashier', {});
  for (const [other, code] of [
    [payments, 'KEY_MAY_NOT'],
    [cashier, 'NOT_ALLOWED'],
  ] as const)
    await allRefused([other.statements.settings(), batch(other, { datev: typed(3_333) })], { code });
  await expect(batch(books, { datev: { ...typed(3_333), wallet: '18000' } })).rejects.toMatchObject({ code: 'ACCOUNTS_DIFFER' });
  expect(await batch(books, { format: 'csv', datev: typed(3_333) })).toContain('cash of shop');
  expect(await owner.statements.settings()).toEqual({ datev: typed(1_001) });
});

it('what concerns the whole shop is refused in words to a key for some accounts', async () => {
  const words = { code: 'KEY_OF_ACCOUNTS', message: 'This key is for some accounts only, and this concerns the whole shop.' };
  await allRefused(
    [key.node.overview(), key.activity.list({}), key.closings.current(), key.peers.list({}), key.apps.grants({}), key.tills.list()],
    words,
  );
  const paying = key.payments.quote({ requestId: randomUUID(), accountId: shop.account.id, payee: 'x' });
  await expect(paying).rejects.toMatchObject(words);
  const { may } = await key.people.me();
  expect(may).toContain('payments.list');
  for (const name of ['payments.pay', 'node.overview', 'waiting.confirm', 'apiKeys.create']) expect(may).not.toContain(name);
});

it('an operation that nobody has put into a group, or bounded by accounts, is refused to narrowed keys', async () => {
  const { read } = desk.database;
  const accounts = new Set([shop.account.id]);
  const groups = new Set(['readAccounts' as const]);
  for (const narrowed of [{ groups }, { accounts }])
    await expect(refuseBeyond(read, narrowed, { name: 'new.thing', input: {} })).rejects.toMatchObject({ code: 'KEY_MAY_NOT' });
  await expect(refuseBeyond(read, { accounts }, { name: 'reports.sales', input: { accountId: shop.account.id } })).rejects.toMatchObject({
    code: 'KEY_OF_ACCOUNTS',
  });
  for (const input of [
    undefined,
    null,
    'x',
    [],
    { id: [shop.account.id] },
    { id: { toString: () => shop.account.id } },
    { accountId: shop.account.id },
  ])
    await expect(refuseBeyond(read, { accounts }, { name: 'accounts.get', input })).rejects.toMatchObject(NOT_FOUND);
  await expect(refuseBeyond(read, { accounts: new Set() }, { name: 'payments.get', input: { id: shop.paid } })).rejects.toMatchObject(
    NOT_FOUND,
  );
});

it('a rotated key keeps its bounds, with both values, and so does one that was allowed again', async () => {
  const [{ id } = { id: '' }] = (await owner.apiKeys.list()).keys;
  const rotated = await owner.apiKeys.rotate({ id });
  expect(rotated.key).toMatchObject({ groups: null, accounts: [{ id: shop.account.id }, { id: cafe.account.id }] });
  await owner.apiKeys.allowAgain({ id });
  for (const one of [value, rotated.value]) {
    const client = clientWith(url, one);
    await expect(client.payments.get({ id: hidden.paid })).rejects.toMatchObject(NOT_FOUND);
    await expect(client.node.overview()).rejects.toMatchObject({ code: 'KEY_OF_ACCOUNTS' });
    expect((await client.accounts.list({})).items).toHaveLength(2);
  }
});

it('a key makes no key, wider or not, and changes none', async () => {
  const [{ id } = { id: '' }] = (await owner.apiKeys.list()).keys;
  await allRefused(
    [
      key.apiKeys.create({ name: 'wider', role: 'manager' }),
      key.apiKeys.rotate({ id }),
      key.apiKeys.revoke({ id }),
      key.apiKeys.list(),
      key.people.invite({ name: 'Eve', role: 'owner' }),
    ],
    { code: 'NOT_ALLOWED' },
  );
  const headers = { authorization: `Bearer ${value}` };
  expect((await fetch(`${url}/operator/links`, { method: 'POST', headers })).status).toBe(403);
});

it('the owner makes no key for a group that does not fit its role or its accounts, nor for an account that is not there', async () => {
  const wanted = { name: 'books', role: 'accountant' as const };
  const accounts = [shop.account.id];
  await expect(owner.apiKeys.create({ ...wanted, groups: ['refund'] })).rejects.toMatchObject({ code: 'UNFIT_GROUP' });
  await expect(owner.apiKeys.create({ ...wanted, groups: ['readReports'], accounts })).rejects.toMatchObject({ code: 'UNFIT_GROUP' });
  await expect(owner.apiKeys.create({ ...wanted, accounts: [randomUUID()] })).rejects.toMatchObject(NOT_FOUND);
  await expect(owner.apiKeys.create({ ...wanted, groups: [] })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(owner.apiKeys.create({ ...wanted, accounts: [] })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect((await owner.apiKeys.list()).keys).toHaveLength(1);
  const { key: made } = await owner.apiKeys.create({
    ...wanted,
    groups: ['readPayments', 'readStatements'],
    accounts: [...accounts, ...accounts],
  });
  expect(made).toMatchObject({
    groups: ['readPayments', 'readStatements'],
    accounts: [{ id: shop.account.id, publicName: shop.account.publicName }],
  });
  const [act] = (await owner.activity.list({ limit: 1 })).items;
  expect(act?.facts).toMatchObject({ groups: 'readPayments readStatements', accounts: shop.account.id });
});

it('a key without bounds keeps all that its role may, and one whose groups nobody knows any more has none', async () => {
  const { value: wide } = await owner.apiKeys.create({ name: 'old', role: 'manager' });
  expect((await clientWith(url, wide).node.overview()).balances).not.toEqual([]);
  const found = await desk.context.apiKeys.find(wide);
  expect(found?.narrowed).toBeUndefined();
  await desk.test.tamper("update api_keys set groups = 'flyToTheMoon'");
  expect(await found?.isStillIn(desk.database.read)).toBe(false);
  for (const name of ['node.overview', 'payments.list', 'requests.create'])
    expect((await callWith(url, wide, name)).code).toBe('KEY_MAY_NOT');
});

it('a key for some accounts does not learn how much the whole shop sells of a product', async () => {
  const asked = { requestId: randomUUID(), name: 'Tea', price: 5n, assetCode: 'USD', assetScale: 2, code: '4711', colour: null };
  await owner.products.add({ ...asked, taxRateId: null });
  await desk.test.tamper('update products set sales = 9');
  expect((await owner.products.list({ order: 'sales' })).items).toMatchObject([{ sales: 9 }]);
  expect((await key.products.list({ order: 'sales' })).items).toMatchObject([{ sales: 0 }]);
  expect((await key.products.byCode({ code: '4711' })).product).toMatchObject({ sales: 0 });
});
