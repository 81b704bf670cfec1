import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TILL_OPERATIONS } from '../../../src-shared/operator-contract/devices/paired-tills.ts';
import type { Change } from '../../../src-shared/operator-contract/node.ts';
import { EMPTY_PROFILE } from '../../../src-shared/shop/shop-profile.ts';
import { findIncomingPayment, receive } from '../../payments/incoming/incoming-payments.ts';
import { sellersOf } from '../../payments/sellers.ts';
import { changeShop } from '../../shop/shop.ts';
import { ask, pageHeaders } from '../testing/ask.ts';
import { type Client, type Desk, openDesk } from '../testing/desk.ts';
import { metaOf, PROCEDURES } from '../testing/operations.ts';
import { serveTills } from './till-door.ts';

let desk: Desk;
let app: FastifyInstance;
let url: string;
let origin: string;
let welcomed: string[];
/** The operations as the owner calls them, and as a manager and a cashier do. */
let owner: Client;

beforeEach(async () => {
  desk = openDesk();
  origin = desk.context.urls.origin;
  owner = desk.callsAs({ role: 'owner' });
  welcomed = [];
  const rendererDir = join(desk.folder, 'renderer');
  mkdirSync(join(rendererDir, 'till'), { recursive: true });
  writeFileSync(join(rendererDir, 'till.html'), '<meta name="paydesk-style-nonce" content="__STYLE_NONCE__">');
  writeFileSync(join(rendererDir, 'till/sw.js'), '// keeps the shell');
  app = Fastify({ forceCloseConnections: true });
  serveTills(app, desk.context, { rendererDir, welcome: (_request, id) => welcomed.push(id) });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterEach(async () => {
  await app.close();
  await desk.close();
});

interface Device {
  id: string;
  cookie: string;
  pageSecret: string;
  client: Client;
}

/** What the page of a till sends with every call. */
const headersOf = (device?: Pick<Device, 'cookie' | 'pageSecret'>) => pageHeaders(origin, device);

const pair = (secret: string) => ask(url, 'POST', '/till/pair', headersOf(), { secret });
const secretIn = (link: string): string => new URL(link).hash.replace('#pair=', '');

/** Adds a till and pairs a device with it. */
async function newDevice(name: string, accountId: string | null = null): Promise<Device> {
  const { till, link } = await owner.tills.add({ name, accountId });
  const answer = await pair(secretIn(link));
  expect(answer.status).toBe(201);
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const signedIn = { cookie, ...(JSON.parse(answer.body) as { pageSecret: string }) };
  const headers = Object.fromEntries(
    Object.entries(headersOf(signedIn)).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  return { id: till.id, ...signedIn, client: createORPCClient<Client>(new RPCLink({ url: `${url}/till/rpc`, headers })) };
}

const shopAccount = () => desk.account('shop', 0n);
const sell = (device: Pick<Device, 'client'>, accountId: string, amount = 450n) =>
  device.client.requests.create({ requestId: crypto.randomUUID(), accountId, amount, madeAt: 'till' });
const pay = (id: string, amount: bigint) =>
  desk.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, id);
    if (payment !== undefined) await receive(tx, payment, amount, desk.clock.now());
  });
async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof ORPCError ? `${error.status} ${error.code}` : String(error);
  }
}

describe('the pairing of a device', () => {
  it('exchanges the link for a cookie of its own path and a secret of the page', async () => {
    const { link, endsAt } = await owner.tills.add({ name: 'Window', accountId: null });
    expect(link).toMatch(new RegExp(`^${origin}/till/#pair=[\\w-]{43}$`));
    expect(endsAt.getTime() - desk.clock.now()).toBe(600_000);
    const answer = await pair(secretIn(link));
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      /^(__Secure-paydesk-till|paydesk_till_\d+)=[\w-]{43}; (Secure; )?HttpOnly; SameSite=Strict; Path=\/till; Max-Age=\d+$/,
    );
    expect(cookie.includes('Secure;')).toBe(origin.startsWith('https:'));
    expect(JSON.parse(answer.body)).toEqual({ pageSecret: expect.stringMatching(/^[\w-]{43}$/) });
    expect((await owner.tills.list()).tills).toMatchObject([{ name: 'Window', state: 'active', linkEndsAt: null }]);
  });

  it('attack: the link is opened twice, or too late, or by another page, or is no link', async () => {
    const { link } = await owner.tills.add({ name: 'Window', accountId: null });
    expect(
      (await ask(url, 'POST', '/till/pair', { ...headersOf(), origin: 'https://evil.invalid' }, { secret: secretIn(link) })).status,
    ).toBe(403);
    expect(
      (await ask(url, 'POST', '/till/pair', { ...headersOf(), 'x-paydesk-console': undefined }, { secret: secretIn(link) })).status,
    ).toBe(403);
    expect((await ask(url, 'POST', '/till/pair', headersOf(), { secret: 5 })).status).toBe(400);
    expect((await pair(secretIn(link))).status).toBe(201);
    expect(await pair(secretIn(link))).toMatchObject({ status: 403, body: '{"error":{"code":"wrong_secret"}}' });
    const late = await owner.tills.add({ name: 'Late', accountId: null });
    desk.clock.advance(600_000);
    expect(await pair(secretIn(late.link))).toMatchObject({ status: 403, body: '{"error":{"code":"link_ended"}}' });
  });

  it('attack: one network tries links. It waits after a dozen', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 14; count += 1) statuses.push((await pair('x'.repeat(43))).status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(12);
    expect(statuses.slice(12)).toEqual([429, 429]);
  });

  it('stands in the activity log under the name of the till', async () => {
    await newDevice('Window');
    const { items } = await owner.activity.list({});
    expect(items).toMatchObject([
      { operation: 'till.pair', by: { kind: 'till', name: 'Window' }, facts: { name: 'Window' } },
      { operation: 'tills.add', facts: { name: 'Window' } },
    ]);
  });
});

describe('the device of a till', () => {
  it('attack: every operation of the contract. It may sell, and everything else is refused before its input is read', async () => {
    const device = await newDevice('Window');
    const counts = { 'may call': 0, refused: 0 };
    for (const [name, procedure] of PROCEDURES) {
      if (name === 'node.changes') continue;
      const answer = await ask(url, 'POST', `/till/rpc/${name.replaceAll('.', '/')}`, headersOf(device), {});
      const isRefused = answer.status === 403 && answer.body.includes('TILL_MAY_NOT');
      expect(isRefused, name).toBe(TILL_OPERATIONS[name] === undefined);
      // Nothing that a cashier may not do is in the list.
      if (!isRefused) expect(metaOf(procedure).may, name).toContain('cashier');
      counts[isRefused ? 'refused' : 'may call'] += 1;
    }
    console.table(counts);
    expect(counts['may call']).toBe(Object.keys(TILL_OPERATIONS).length - 1);
    expect(counts['may call']).toBeLessThan(20);
    expect((await ask(url, 'POST', '/till/rpc/made/up', headersOf(device), {})).status).toBe(404);
  });

  it('sells, cancels and hands over receipts, and sees its own sales and no others', async () => {
    const shop = await shopAccount();
    const [window, terrace] = [await newDevice('Window'), await newDevice('Terrace')];
    const own = await sell(window, shop.id);
    const other = await sell(terrace, shop.id, 900n);
    const desks = await owner.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 100n, madeAt: 'till' });
    expect(own).toMatchObject({ till: { id: window.id, name: 'Window' }, madeAt: 'till' });
    expect(own).not.toHaveProperty('payers');
    expect((await window.client.requests.sales()).items.map(({ id }) => id)).toEqual([own.id]);
    for (const id of [other.id, desks.id, crypto.randomUUID()]) {
      const { requests, receipts, printing } = window.client;
      const calls = [
        () => requests.get({ id }),
        () => requests.bill({ id }),
        () => requests.cancel({ id }),
        () => requests.failedAttempts({ id }),
        () => receipts.issue({ kind: 'sale', id }),
        () => receipts.get({ kind: 'sale', id }),
        () => printing.print({ kind: 'sale', id }),
        () => printing.ofReceipt({ kind: 'sale', id }),
      ];
      for (const call of calls) expect(await codeOf(call())).toBe('404 NOT_FOUND');
    }
    await pay(own.id, 450n);
    expect(await window.client.requests.get({ id: own.id })).toMatchObject({ status: 'paid' });
    expect(await window.client.receipts.issue({ kind: 'sale', id: own.id })).toMatchObject({ payers: null });
    expect(await codeOf(window.client.receipts.issue({ kind: 'refund' as 'sale', id: own.id }))).toBe('404 NOT_FOUND');
    const place = { name: 'Counter', host: '192.168.1.50', port: 9_100 } as const;
    await owner.printing.set({ ...place, paper: 'roll80', language: 'en', printsSales: false });
    expect(await window.client.printing.print({ kind: 'sale', id: own.id })).toMatchObject({ state: 'waiting' });
    expect(await window.client.printing.ofReceipt({ kind: 'sale', id: own.id })).toEqual({
      state: 'waiting',
      isSilent: false,
      isOfComputer: false,
    });
    const second = await sell(window, shop.id);
    expect(await window.client.requests.cancel({ id: second.id })).toMatchObject({ status: 'cancelled' });
  });

  it('its sales bear its name in the list of payments, the filter, the export, the activity log and the day closing', async () => {
    const shop = await shopAccount();
    const window = await newDevice('Window');
    const own = await sell(window, shop.id);
    await owner.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 100n, madeAt: 'till' });
    await pay(own.id, 450n);
    await owner.tills.change({ id: window.id, name: 'Door', accountId: null });
    const { items } = await owner.payments.list({ tillId: window.id });
    expect(items).toMatchObject([{ id: own.id, till: { id: window.id, name: 'Window' } }]);
    expect(await owner.payments.summary({ tillId: window.id })).toMatchObject({ count: 1 });
    let csv = '';
    for await (const part of await owner.payments.export({ tillId: window.id })) csv += part.csv;
    expect(csv.trim().split('\r\n')).toEqual([expect.stringContaining('"till"'), expect.stringMatching(/"Window"$/)]);
    expect((await owner.activity.list({ by: window.id })).items[0]).toMatchObject({
      operation: 'requests.create',
      by: { kind: 'till', name: 'Window' },
    });
    // What day closings and reports ask.
    expect((await sellersOf(desk.database.read, [own.id])).get(own.id)).toEqual({
      ...{ madeBy: 'till', app: null, till: { id: window.id, name: 'Window' } },
      person: { kind: 'till', id: window.id, name: 'Window' },
    });
    expect((await owner.activity.doers()).items).toContainEqual({ kind: 'till', id: window.id, name: 'Door' });
  });

  it('attack: it wants another account, another place, an end of its own choice, or another reference', async () => {
    const [shop, safe] = [await shopAccount(), await desk.account('safe', 0n)];
    const device = await newDevice('Window', shop.id);
    expect((await device.client.requests.accounts({})).items.map(({ id }) => id)).toEqual([shop.id]);
    expect((await device.client.requests.accounts({ id: safe.id })).items).toEqual([]);
    expect(await codeOf(sell(device, safe.id))).toBe('404 NOT_FOUND');
    const chosen = { expiresAt: new Date(desk.clock.now() + 90 * 86_400_000), dueAt: new Date(desk.clock.now() + 1), reference: 'RE-1' };
    const sale = await device.client.requests.create({
      ...{ requestId: crypto.randomUUID(), accountId: shop.id, amount: 5n, madeAt: 'desk', ...chosen },
    });
    expect(sale).toMatchObject({ madeAt: 'till', reference: null, dueAt: null });
    expect((sale.expiresAt?.getTime() ?? 0) - desk.clock.now()).toBeLessThan(3_600_000);
  });

  it('learns what selling needs, and neither where the books are nor how much the shop sells', async () => {
    const device = await newDevice('Window');
    expect(await device.client.people.me()).toMatchObject({ person: null, till: { name: 'Window' }, role: 'cashier' });
    expect(await device.client.node.info()).toMatchObject({ database: null });
    const product = { name: 'Tea', price: 300n, assetCode: 'USD', assetScale: 2, taxRateId: null, code: '1', colour: null };
    const { id } = await owner.products.add({ requestId: crypto.randomUUID(), ...product });
    const shop = await shopAccount();
    const line = { text: 'Tea', quantity: 1_000, unitPrice: 300n, tax: null, productId: id };
    const bill = { pricesIncludeTax: true, rounding: 'line' as const, lines: [line], tip: 0n };
    await device.client.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, bill, madeAt: 'till' });
    expect((await owner.products.list({})).items).toMatchObject([{ sales: 1 }]);
    expect((await device.client.products.list({})).items).toMatchObject([{ name: 'Tea', sales: 0 }]);
    expect(await device.client.products.byCode({ code: '1' })).toMatchObject({ product: { sales: 0 } });
  });

  it('sells while the console is locked', async () => {
    const shop = await shopAccount();
    const device = await newDevice('Window');
    await owner.lock.protect({ passphrase: 'seven plain words', settings: { idleMinutes: 1, atStart: true } });
    await owner.lock.now();
    expect(await codeOf(desk.callsAs({ role: 'cashier' }).requests.sales())).toBe('423 LOCKED');
    const sale = await sell(device, shop.id);
    expect(await device.client.requests.cancel({ id: sale.id })).toMatchObject({ status: 'cancelled' });
  });
});

describe('the secrets of a till', () => {
  it('attack: the cookie and the secret of a till at the console and its API, and those of a cashier at the tills', async () => {
    const console = await desk.startConsole();
    const device = await newDevice('Window');
    const { secret } = await owner.people.invite({ name: 'Ada', role: 'owner' });
    const answer = await ask(console.url, 'POST', '/operator/session', pageHeaders(console.url), { secret });
    const person = {
      cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
      ...(JSON.parse(answer.body) as { pageSecret: string }),
    };
    const value = device.cookie.split('=')[1] ?? '';
    const asConsole = { ...device, cookie: person.cookie.replace(/=.*/, `=${value}`) };
    const paths = ['/operator/rpc/requests/sales', '/operator/rpc/node/info', '/operator/rpc/people/me'];
    for (const path of paths) {
      for (const signedIn of [device, asConsole])
        expect((await ask(console.url, 'POST', path, pageHeaders(console.url, signedIn), {})).status).toBe(401);
      const bearer = { authorization: `Bearer ${value}`, origin: console.url };
      expect((await ask(console.url, 'POST', path, bearer, {})).status).toBe(401);
      const bearerPage = { authorization: `Bearer ${device.pageSecret}` };
      expect((await ask(console.url, 'POST', path, bearerPage, {})).status).toBe(401);
    }
    const asTill = { ...person, cookie: `${device.cookie.split('=')[0]}=${person.cookie.split('=')[1]}` };
    for (const signedIn of [person, asTill, { ...person, cookie: `${person.cookie}; ${device.cookie}` }]) {
      const refused = await ask(url, 'POST', '/till/rpc/requests/sales', headersOf(signedIn), {});
      expect(refused.status).toBe(401);
      expect(refused.body).toContain('TILL_NOT_PAIRED');
    }
    expect(
      (await ask(url, 'POST', '/till/rpc/requests/sales', { authorization: `Bearer ${desk.token()}`, ...headersOf() }, {})).status,
    ).toBe(401);
    await console.close();
  });

  it('attack: another page calls with the cookie, or a request says that it is a GET', async () => {
    const device = await newDevice('Window');
    const own = headersOf(device);
    const others = [
      { ...own, origin: 'https://evil.invalid' },
      { ...own, 'sec-fetch-site': 'same-site' },
      { ...own, 'x-paydesk-console': undefined },
    ];
    for (const headers of others) expect((await ask(url, 'POST', '/till/rpc/requests/sales', headers, {})).status).toBe(403);
    expect((await ask(url, 'GET', '/till/rpc/requests/sales', own)).status).toBe(404);
    expect(welcomed).toEqual([]);
    expect((await ask(url, 'POST', '/till/rpc/requests/sales', own, {})).status).toBe(200);
    expect(welcomed).toEqual([device.id]);
  });
});

describe('the stream of a till', () => {
  async function follow(device: Device) {
    const seen: Change[] = [];
    const leaving = new AbortController();
    const stream = await device.client.node.changes(undefined, { signal: leaving.signal });
    let ended: string | undefined;
    const done = (async () => {
      for await (const change of stream) seen.push(change);
    })().catch((error: unknown) => {
      ended = error instanceof ORPCError ? error.code : String(error);
    });
    await expect.poll(() => seen.length).toBe(1);
    return { seen, leave: () => leaving.abort(), done, why: () => ended };
  }

  it('attack: everything happens in the node. The device hears of its own sale and of the shop, and of nothing else', async () => {
    const shop = await shopAccount();
    const [window, terrace] = [await newDevice('Window'), await newDevice('Terrace')];
    const { seen, leave } = await follow(window);
    const other = await sell(terrace, shop.id);
    await pay(other.id, 450n);
    await owner.people.invite({ name: 'Ada', role: 'cashier' });
    await owner.accounts.deposit({ requestId: crypto.randomUUID(), id: shop.id, amount: 5n, note: '' });
    await owner.tills.pause({ id: terrace.id });
    const own = await sell(window, shop.id);
    await expect.poll(() => seen.flatMap(({ subjects }) => subjects)).toContain(own.id);
    await pay(own.id, 450n);
    await expect.poll(() => seen.flatMap(({ news = [] }) => news)).toEqual([{ kind: 'paid', paymentId: own.id }]);
    await desk.database.write((tx) => changeShop(tx, { profile: { ...EMPTY_PROFILE, name: 'Café' } }));
    await owner.settings.setTill({ lapseMinutes: 7 });
    await expect.poll(() => seen.flatMap(({ topics }) => topics)).toContain('settings');
    expect(new Set(seen.flatMap(({ topics }) => topics))).toEqual(new Set(['requests', 'settings', 'products']));
    expect(new Set(seen.flatMap(({ subjects }) => subjects))).toEqual(new Set([own.id, 'till']));
    leave();
  });

  it.each([
    ['paused', 'TILL_PAUSED', (id: string) => owner.tills.pause({ id })],
    ['removed', 'TILL_REMOVED', (id: string) => owner.tills.remove({ id })],
    ['paired anew', 'TILL_NOT_PAIRED', (id: string) => owner.tills.pairAnew({ id })],
  ])('ends at once when the till is %s, and says so', async (what, code, act) => {
    const device = await newDevice('Window');
    const { done, why } = await follow(device);
    const began = performance.now();
    await act(device.id);
    await Promise.race([done, pause(5_000)]);
    expect(why()).toBe(code);
    console.log(`the stream ended ${Math.round(performance.now() - began)} ms after the till was ${what}`);
    expect((await codeOf(device.client.requests.sales()))?.split(' ')[1]).toBe(code);
  });
});

describe('the files of the till', () => {
  it('are the same for everybody, and protected as those of the console', async () => {
    const page = await ask(url, 'GET', '/till/', { accept: 'text/html' });
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).toContain("worker-src 'self'");
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(page.headers['set-cookie']).toBeUndefined();
    expect((await ask(url, 'GET', '/till/assets/main-4f2a.js')).headers['cache-control']).toContain('immutable');
    expect((await ask(url, 'GET', '/till/sw.js')).headers['cache-control']).toBe('no-cache');
    for (const path of ['/till/assets/../index.html', '/till/%2e%2e/index.html', '/till/assets/nothing.js', '/till'])
      expect((await ask(url, 'GET', path)).status, path).toBe(404);
  });

  it('the manifest has the names of shop and till for its device, and of nobody for a stranger', async () => {
    await desk.database.write((tx) => changeShop(tx, { profile: { ...EMPTY_PROFILE, name: 'Café Mila' } }));
    const device = await newDevice('Window');
    const manifest = async (cookie?: string) =>
      JSON.parse((await ask(url, 'GET', '/till/manifest.webmanifest', { cookie })).body) as Record<string, unknown>;
    expect(await manifest(device.cookie)).toMatchObject({
      name: 'Window · Café Mila',
      short_name: 'Window',
      start_url: '/till/',
      scope: '/till/',
    });
    expect(await manifest()).toMatchObject({ name: 'paydesk', short_name: 'paydesk' });
    const page = await ask(url, 'GET', '/till/', { cookie: device.cookie });
    expect(page.headers['set-cookie']?.[0]).toContain(device.cookie);
  });
});
