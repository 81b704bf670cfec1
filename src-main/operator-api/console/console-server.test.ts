import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src-shared/operator-contract/contract.ts';
import { events } from '../../journal/tables.ts';
import { type Answer, ask, follow, type Headers, pageHeaders, type SignedIn } from '../testing/ask.ts';
import { type Desk, openDesk, PAGE } from '../testing/desk.ts';
import type { RunningConsole } from './console-server.ts';
import { fillPage } from './fill-page.ts';

let desk: Desk;
let running: RunningConsole;
let url: string;

beforeEach(async () => {
  desk = openDesk();
  running = await desk.startConsole();
  url = running.url;
});
afterEach(async () => {
  await running.close();
  await desk.close();
});

const RPC = '/operator/rpc/rates/list';
const rpc = (headers: Headers) => ask(url, 'POST', RPC, headers, {});
const bearer = (): Headers => ({ authorization: `Bearer ${desk.token()}` });
const linkSecret = async () => new URLSearchParams(new URL((await desk.api.createLink()).url).hash.slice(1)).get('link') ?? '';
const redeem = (secret: string, headers: Headers = pageHeaders(url)) => ask(url, 'POST', '/operator/session', headers, { secret });
const signedInBy = (answer: Answer): SignedIn => ({
  cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
  ...(JSON.parse(answer.body) as { pageSecret: string }),
});
const signIn = async () => signedInBy(await redeem(await linkSecret()));

describe('the server of the console', () => {
  it('lets a script in that has the token', async () => {
    expect((await rpc(bearer())).status).toBe(200);
    expect((await rpc({ authorization: `bearer ${desk.token()}` })).status).toBe(200);
  });

  it.each([
    ['another token', { authorization: `Bearer ${'A'.repeat(43)}` }, 401],
    ['another scheme', { authorization: 'Basic b3BlcmF0b3I6' }, 401],
    ['an empty token', { authorization: 'Bearer ' }, 401],
    ['no authorization', {}, 403],
  ])('refuses a script with %s', async (_words, headers, status) => {
    expect((await rpc(headers)).status).toBe(status);
  });

  it('refuses the right token when a page of another origin sends it', async () => {
    expect((await rpc({ ...bearer(), origin: 'https://evil.example' })).status).toBe(403);
  });

  it('lets the page of a signed-in browser in', async () => {
    const signedIn = await signIn();
    expect((await rpc(pageHeaders(url, signedIn))).status).toBe(200);
    const get = { ...pageHeaders(url, { ...signedIn, cookie: `other=1; ${signedIn.cookie}` }), origin: undefined };
    expect((await ask(url, 'GET', '/operator/api/accounts', get)).status).toBe(200);
  });

  it.each<[string, (all: Headers) => Headers, number]>([
    ['without the cookie', (all) => ({ ...all, cookie: undefined }), 401],
    ['with another cookie', (all) => ({ ...all, cookie: all.cookie?.replace(/=.*/, `=${'A'.repeat(43)}`) }), 401],
    ['without the secret that only the page has', (all) => ({ ...all, 'x-paydesk-session': undefined }), 401],
    ['with another secret of the page', (all) => ({ ...all, 'x-paydesk-session': 'A'.repeat(43) }), 401],
    ['with an empty secret of the page', (all) => ({ ...all, 'x-paydesk-session': '' }), 401],
    ['without the console header', (all) => ({ ...all, 'x-paydesk-console': undefined }), 403],
    ['with another console header', (all) => ({ ...all, 'x-paydesk-console': '2' }), 403],
    ['without an origin', (all) => ({ ...all, origin: undefined }), 403],
    ['with another origin', (all) => ({ ...all, origin: 'https://evil.example' }), 403],
    ['with an opaque origin', (all) => ({ ...all, origin: 'null' }), 403],
    ['with https in place of http', (all) => ({ ...all, origin: all.origin?.replace('http:', 'https:') }), 403],
    ['with an origin of another port', (all) => ({ ...all, origin: 'http://127.0.0.1:1' }), 403],
    ['with an origin spelled unlike the host', (all) => ({ ...all, origin: all.origin?.replace('localhost', '127.0.0.1') }), 403],
    ['from a page of the same site', (all) => ({ ...all, 'sec-fetch-site': 'same-site' }), 403],
    ['under a foreign name that leads to this computer', (all) => ({ ...all, host: 'evil.example' }), 421],
    ['under such a name with its own origin', (all) => ({ ...all, host: 'evil.example', origin: 'http://evil.example' }), 421],
    ['under this name with another port', (all) => ({ ...all, host: '127.0.0.1:1' }), 421],
    ['with a wrong token beside the cookie', (all) => ({ ...all, authorization: `Bearer ${'A'.repeat(43)}` }), 401],
  ])('refuses the page %s', async (_words, change, status) => {
    const whole = pageHeaders(url, await signIn());
    expect((await rpc(change(whole))).status).toBe(status);
    expect((await rpc(whole)).status).toBe(200);
  });

  it('refuses a GET request that its own page did not send', async () => {
    const { cookie, pageSecret } = await signIn();
    const get = (headers: Headers) => ask(url, 'GET', '/operator/api/accounts', headers);
    const navigation = { 'x-paydesk-console': '1', 'x-paydesk-session': pageSecret, cookie };
    expect((await get(navigation)).status).toBe(403);
    expect((await get({ ...navigation, 'sec-fetch-site': 'none' })).status).toBe(403);
    expect((await get({ ...navigation, 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' })).status).toBe(403);
    expect((await get({ ...navigation, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('accepts the other name of this computer when the origin has the same name', async () => {
    const { port } = new URL(url);
    const local = `localhost:${port}`;
    const signedIn = await signIn();
    expect((await rpc({ ...pageHeaders(`http://${local}`, signedIn), host: local })).status).toBe(200);
    expect((await rpc({ ...bearer(), host: local })).status).toBe(200);
  });

  it.each([
    ['POST', '/operator/rpc/accounts/create'],
    ['GET', '/operator/api/node'],
    ['GET', '/operator/api/changes'],
    ['GET', '/operator/openapi.json'],
    ['DELETE', '/operator/session'],
    ['POST', '/operator/links'],
    ['OPTIONS', '/operator/rpc/rates/list'],
    ['GET', '/%6fperator/openapi.json'],
    ['POST', '/operator//rpc/accounts/list'],
  ])('refuses %s %s to everybody else', async (method, path) => {
    for (const headers of [{}, pageHeaders(url), { authorization: `Bearer ${'A'.repeat(43)}` }]) {
      const answer = await ask(url, method, path, headers);
      expect([401, 403, 404]).toContain(answer.status);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('the sign-in', () => {
  it('exchanges a link for a cookie that scripts in the page cannot read', async () => {
    const answer = await redeem(await linkSecret());
    expect(answer.status).toBe(201);
    const { port } = new URL(url);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(new RegExp(`^paydesk_${port}=[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000$`)),
      expect.stringMatching(new RegExp(`^paydesk_browser_${port}=[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=7776000$`)),
    ]);
    const told = await desk.database.read.select().from(events);
    expect(told).toMatchObject([{ type: 'operator.signed_in', body: {} }]);
  });

  it('takes a link once, within ten minutes', async () => {
    const used = await linkSecret();
    expect((await redeem(used)).status).toBe(201);
    expect((await redeem(used)).status).toBe(403);
    const late = await linkSecret();
    desk.clock.advance(600_000);
    expect((await redeem(late)).status).toBe(403);
    const intime = await linkSecret();
    desk.clock.advance(599_999);
    expect((await redeem(intime)).status).toBe(201);
  });

  it('takes a link once when two browsers use it at the same time', async () => {
    const secret = await linkSecret();
    const answers = await Promise.all([redeem(secret), redeem(secret), redeem(secret)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
  });

  it.each<[string, (all: Headers) => Headers, number]>([
    ['without the console header', (all) => ({ ...all, 'x-paydesk-console': undefined }), 403],
    ['from another origin', (all) => ({ ...all, origin: 'https://evil.example' }), 403],
    ['without an origin', (all) => ({ ...all, origin: undefined }), 403],
    ['under another name', (all) => ({ ...all, host: 'evil.example' }), 421],
  ])('does not take a link %s', async (_words, change, status) => {
    const secret = await linkSecret();
    expect((await redeem(secret, change(pageHeaders(url)))).status).toBe(status);
    expect((await redeem(secret)).status).toBe(201);
  });

  it('takes the right link after any number of wrong ones, which write nothing', async () => {
    const secret = await linkSecret();
    const before = desk.database.stats.jobs;
    for (let attempt = 0; attempt < 30; attempt++) expect((await redeem(randomUUID())).status).toBe(403);
    expect(desk.database.stats.jobs).toBe(before);
    expect((await redeem(secret)).status).toBe(201);
  });

  it('does not let another web server of this computer in that got the cookie', async () => {
    const { cookie } = await signIn();
    const other = await signIn();
    expect((await rpc(pageHeaders(url, { cookie, pageSecret: other.pageSecret }))).status).toBe(401);
    expect((await rpc(pageHeaders(url, { cookie: other.cookie, pageSecret: '' }))).status).toBe(401);
    expect((await rpc(pageHeaders(url, other))).status).toBe(200);
  });

  it('tells in the activity log in which browser a person did something', async () => {
    const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36' };
    const ada = signedInBy(await redeem(await linkSecret(), { ...pageHeaders(url), ...agent }));
    await ask(url, 'DELETE', '/operator/session', { ...pageHeaders(url, ada), ...agent });
    const { items } = JSON.parse((await ask(url, 'GET', '/operator/api/activity', pageHeaders(url, await signIn()))).body);
    const told = (items as { operation: string; facts: Record<string, string> }[]).map(({ operation, facts }) => [operation, facts]);
    const here = { browser: 'Chrome', system: 'Linux' };
    expect(told.slice(1, 3)).toMatchObject(['session.signOut', 'session.signIn'].map((operation) => [operation, here]));
  });

  it('lists the browsers, and ends one or all others with their streams', async () => {
    const browser = async (name: string) => signedInBy(await redeem(await linkSecret(), { ...pageHeaders(url), 'user-agent': name }));
    const [first, second, third] = [await browser('first'), await browser('second'), await browser('x'.repeat(9_000))];
    const call = async (signedIn: SignedIn, method: string, path = '') =>
      JSON.parse((await ask(url, method, `/operator/api/sessions${path}`, { ...pageHeaders(url, signedIn) })).body);
    const { sessions } = (await call(first, 'GET')) as { sessions: { id: string; userAgent: string; isThisOne: boolean }[] };
    expect(sessions.map(({ userAgent, isThisOne }) => [userAgent.slice(0, 6), userAgent.length, isThisOne]).toSorted()).toEqual([
      ['first', 5, true],
      ['second', 6, false],
      ['xxxxxx', 300, false],
    ]);
    const stream = await follow(url, '/operator/api/changes', pageHeaders(url, second));
    const own = await follow(url, '/operator/api/changes', pageHeaders(url, first));
    const id = sessions.find(({ userAgent }) => userAgent === 'second')?.id ?? '';
    expect(await call(first, 'DELETE', `/${id}`)).toEqual({ ended: 1 });
    await stream.closed;
    expect((await rpc(pageHeaders(url, second))).status).toBe(401);
    expect(await call(first, 'DELETE', `/${id}`)).toEqual({ ended: 0 });
    expect(await call(first, 'DELETE')).toEqual({ ended: 1 });
    expect((await rpc(pageHeaders(url, third))).status).toBe(401);
    expect((await rpc(pageHeaders(url, first))).status).toBe(200);
    expect(own.isOpen()).toBe(true);
    own.leave();
  });

  it('signs a browser out and ends its open streams', async () => {
    const whole = pageHeaders(url, await signIn());
    const stream = await follow(url, '/operator/api/changes', whole);
    const others = await follow(url, '/operator/api/changes', bearer());
    const out = await ask(url, 'DELETE', '/operator/session', whole);
    expect(out.status).toBe(204);
    expect(out.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    expect((await rpc(whole)).status).toBe(401);
    await stream.closed;
    expect(others.isOpen()).toBe(true);
    others.leave();
  });

  it('makes links for scripts but not for sessions', async () => {
    const made = await ask(url, 'POST', '/operator/links', bearer());
    expect(made.status).toBe(201);
    const link: { url: string; expiresAt: string } = JSON.parse(made.body);
    expect(link.url).toMatch(new RegExp(`^${url}/#link=[A-Za-z0-9_-]{43}$`));
    expect(link.expiresAt).toBe(new Date(desk.clock.now() + 600_000).toISOString());
    expect((await ask(url, 'POST', '/operator/links', pageHeaders(url, await signIn()))).status).toBe(401);
  });

  it('keeps every secret out of logs, events and tables', async () => {
    const secret = await linkSecret();
    const signedIn = signedInBy(await redeem(secret));
    await rpc(pageHeaders(url, signedIn));
    await rpc(bearer());
    await redeem(`${secret}x`);
    const rowsOf = async (name: string) => JSON.stringify(await desk.test.look(`select * from "${name}"`), text);
    const stored = (await Promise.all((await desk.test.tables()).map(rowsOf))).join();
    expect(stored).toContain('operator.signed_in');
    for (const one of [secret, signedIn.cookie.split('=')[1] ?? '', signedIn.pageSecret, desk.token()]) {
      expect(one).toHaveLength(43);
      expect(stored + desk.logged.join()).not.toContain(one);
    }
  });
});

const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);

describe('the page', () => {
  const html = { accept: 'text/html,*/*' };

  it('is sent for every address that a person can open, each time with a new nonce', async () => {
    const nonces = new Set<string>();
    for (const path of ['/', '/index.html', '/payments/in?status=waiting', '/approvals']) {
      const answer = await ask(url, 'GET', path, html);
      const nonce = /nonce" content="([A-Za-z0-9_-]{24})"/.exec(answer.body)?.[1] ?? '';
      expect(answer.status).toBe(200);
      expect(answer.body).toBe(fillPage(PAGE, { nonce, dataFolder: desk.folder }));
      expect(answer.body).toContain(`data-folder="${encodeURIComponent(desk.folder)}"`);
      expect(answer.headers['content-security-policy']).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
      expect(answer.headers['cache-control']).toBe('no-store');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(4);
  });

  it('is served with its built files, which browsers may keep for ever, and nothing else is found', async () => {
    const file = await ask(url, 'GET', '/assets/main-4f2a.js');
    expect(file.body).toBe('console.log(1);');
    expect(file.headers).toMatchObject({
      'content-type': expect.stringMatching(/^(application|text)\/javascript/),
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await ask(url, 'GET', '/assets/gone.js', { accept: '*/*' })).status).toBe(404);
    expect((await ask(url, 'POST', '/', html)).status).toBe(404);
    expect((await ask(url, 'GET', '/operator/nothing', html)).status).toBe(404);
  });

  it('has its files sent in the compressed form that the browser accepts', async () => {
    for (const [accepted, sent, body] of [
      ['gzip, deflate, br', 'br', 'as brotli'],
      ['gzip', 'gzip', 'as gzip'],
      ['identity', undefined, 'console.log(2);'],
    ] as const) {
      const file = await ask(url, 'GET', '/assets/large-9c1e.js', { 'accept-encoding': accepted });
      expect(file.body).toBe(body);
      expect(file.headers).toMatchObject({
        'content-type': expect.stringMatching(/^(application|text)\/javascript/),
        'content-length': String(body.length),
        'cache-control': 'public, max-age=31536000, immutable',
        vary: expect.stringMatching(/accept-encoding/i),
        'x-content-type-options': 'nosniff',
      });
      expect(file.headers['content-encoding']).toBe(sent);
    }
  });

  it.each(['/..%2fconsole-url', '/%2e%2e/console-url', '/assets/..%2f..%2foperator-token', '/assets/%2e%2e/%2e%2e/operator-token'])(
    'gives no file outside its folder to anybody: %s',
    async (path) => {
      const answer = await ask(url, 'GET', path, { accept: '*/*' });
      expect([400, 403, 404]).toContain(answer.status);
      expect(answer.body).not.toContain(desk.token());
    },
  );

  it('has headers on every answer that keep other pages out', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/assets/main-4f2a.js'],
      ['GET', '/nothing'],
      ['POST', RPC],
    ] as const) {
      expect((await ask(url, method, path, html)).headers).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'; style-src 'self'"),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });

  it('is shown under its own host names only', async () => {
    expect((await ask(url, 'GET', '/', { ...html, host: 'evil.example' })).status).toBe(421);
    expect((await ask(url, 'GET', '/assets/main-4f2a.js', { host: 'evil.example' })).status).toBe(421);
  });
});

describe('the REST API for scripts', () => {
  const rest = (method: string, path: string, body?: unknown) => ask(url, method, `/operator/api${path}`, bearer(), body);
  const account = (openingBalance: unknown, name = 'till') => ({
    requestId: randomUUID(),
    name,
    publicName: 'Till',
    assetCode: 'USD',
    assetScale: 2,
    openingBalance,
  });

  it('is described by a document that has every operation', async () => {
    const answer = await ask(url, 'GET', '/operator/openapi.json', bearer());
    const document: { openapi: string; paths: Record<string, Record<string, unknown>> } = JSON.parse(answer.body);
    expect(document.openapi).toMatch(/^3\.1\./);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.sort()).toEqual(routesOf(contract).sort());
    expect(described).toContain('post /accounts');
  });

  it('takes and gives amounts as exact text', async () => {
    expect(JSON.parse((await rest('POST', '/accounts', account('0', 'empty'))).body)).toMatchObject({ balance: '0' });
    expect(JSON.parse((await rest('POST', '/accounts', account(0, 'number'))).body)).toMatchObject({ balance: '0' });
    const made = await rest('POST', '/accounts', account('9223372036854775807'));
    expect(made.status).toBe(201);
    expect(JSON.parse(made.body)).toMatchObject({ balance: '9223372036854775807', createdAt: new Date(desk.clock.now()).toISOString() });
  });

  it('refuses an amount that has lost digits', async () => {
    expect((await rest('POST', '/accounts', account(2 ** 53))).status).toBe(400);
    expect((await rest('POST', '/accounts', account(0.5))).status).toBe(400);
    expect(JSON.parse((await rest('GET', '/accounts')).body)).toEqual({ items: [], nextCursor: null });
  });

  it('refuses bodies that are too large or not JSON', async () => {
    expect((await rest('POST', '/accounts', { ...account('0'), note: 'x'.repeat(70_000) })).status).toBe(413);
    const form = { ...bearer(), 'content-type': 'text/plain' };
    expect((await ask(url, 'POST', '/operator/api/accounts', form, account('0'))).status).toBe(415);
  });
});

it('the node tells the operator what to do when the console cannot open', async () => {
  const { port } = new URL(url);
  await expect(desk.startConsole(Number(port))).rejects.toThrow(/cannot listen on 127\.0\.0\.1:\d+ \(EADDRINUSE\)\. Choose another/);
  const elsewhere = { host: '0.0.0.0', port: 0, rendererDir: desk.folder, dataFolder: desk.folder };
  await expect(desk.api.startConsole(elsewhere)).rejects.toThrow(/must stay on this computer/);
  await expect(desk.api.startConsole({ ...elsewhere, host: '127.0.0.1' })).rejects.toThrow(/not built/);
});

function routesOf(part: object): string[] {
  return Object.values(part).flatMap((value: unknown) => {
    if (typeof value !== 'object' || value === null) return [];
    if (!('~orpc' in value)) return routesOf(value);
    const definition = value['~orpc'];
    if (typeof definition !== 'object' || definition === null || !('route' in definition)) return [];
    const { method, path } = Object(definition.route);
    return [`${String(method).toLowerCase()} ${String(path)}`];
  });
}
