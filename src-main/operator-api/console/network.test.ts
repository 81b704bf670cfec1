import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setUpSecret } from '../people/set-up.ts';
import { TestAuthenticator } from '../sign-in/testing/authenticator.ts';
import { codeOf, stepAt } from '../sign-in/totp.ts';
import { pinTries } from '../tables.ts';
import { ask, type Headers, pageHeaders, type SignedIn } from '../testing/ask.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import type { RunningConsole } from './console-server.ts';

// The console at its URL on the network, behind a declared proxy on this computer.

const CONSOLE_URL = 'https://desk.example';
const PASSWORD = 'correct horse battery';

let desk: Desk;
let running: RunningConsole;
let url: string;
beforeEach(async () => {
  desk = openDesk();
  running = await desk.startConsole(0, { consoleUrl: CONSOLE_URL, trustedProxies: ['127.0.0.1', '::1'] });
  url = running.url;
});
afterEach(async () => {
  await running.close();
  await desk.close();
});

const byProxy = (more: Headers = {}): Headers => ({
  ...{ host: 'desk.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' },
  ...more,
});
const page = (signedIn?: SignedIn): Headers => byProxy(pageHeaders(CONSOLE_URL, signedIn));
const call = (operation: string, headers: Headers, input: object = {}) =>
  ask(url, 'POST', `/operator/rpc/${operation}`, headers, { json: input });
const signIn = (by: object, headers: Headers = page()) => ask(url, 'POST', '/operator/session', headers, by);

function signedInBy(answer: Awaited<ReturnType<typeof ask>>): SignedIn {
  expect(answer.status).toBe(201);
  return { cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '', ...(JSON.parse(answer.body) as { pageSecret: string }) };
}
const json = <T>(answer: { body: string }): T => (JSON.parse(answer.body) as { json: T }).json;

async function ownerLink(): Promise<string> {
  const made = await desk.context.people.makeLink('owner');
  if (!made.ok) throw new Error(made.error);
  return made.value.secret;
}

describe('over the network', () => {
  it('a sign-in link lets its person only make a way in, and after that do what the role allows', async () => {
    const answer = await signIn({ secret: await ownerLink() });
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^__Host-paydesk=[\w-]{43}; Secure; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/,
    );
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    const signedIn = signedInBy(answer);
    for (const operation of [
      'accounts/list',
      'people/list',
      'node/info',
      'sessions/list',
      'ways/removePassword',
      'restore/begin',
      'lock/now',
    ])
      expect((await call(operation, page(signedIn))).status, operation).toBe(403);
    expect(json<{ may: string[] }>(await call('people/me', page(signedIn)))).toMatchObject({ isLimited: true });

    const { options } = json<{ options: { challenge: string } }>(await call('ways/beginPasskey', page(signedIn)));
    const device = new TestAuthenticator();
    const answerOf = device.register({ challenge: options.challenge, origin: CONSOLE_URL, rpId: 'desk.example' });
    expect((await call('ways/addPasskey', page(signedIn), { name: 'Phone', answer: answerOf })).status).toBe(200);
    expect((await call('people/list', page(signedIn))).status).toBe(200);

    const begun = JSON.parse((await ask(url, 'POST', '/operator/passkey-challenges', page())).body) as { challenge: string; rpId: string };
    const passkey = device.assert({ challenge: begun.challenge, origin: CONSOLE_URL, rpId: begun.rpId });
    expect((await call('people/list', page(signedInBy(await signIn({ passkey }))))).status).toBe(200);
  });

  it('a password with a code signs in, and the attempts of an address are counted by the caller of the proxy', async () => {
    const signedIn = signedInBy(await signIn({ secret: await ownerLink() }));
    const { setUp, secret } = json<{ setUp: string; secret: string }>(await call('ways/beginPassword', page(signedIn)));
    const code = () => codeOf(secret, stepAt(desk.clock.now()));
    const set = await call('ways/setPassword', page(signedIn), { setUp, signInName: 'owner', password: PASSWORD, code: code() });
    expect(json<{ codes: string[] }>(set).codes).toHaveLength(10);
    desk.clock.advance(30_000);
    const statuses = [];
    for (let round = 0; round < 5; round += 1)
      statuses.push((await signIn({ signInName: 'owner', password: 'wrong', code: '000000' })).status);
    expect(statuses).toEqual([403, 403, 403, 403, 429]);
    desk.clock.advance(30_000);
    expect((await signIn({ signInName: 'owner', password: PASSWORD, code: code() })).status).toBe(201);
  });

  it('attack: a console link, the token for scripts and a key', async () => {
    const link = new URLSearchParams(new URL((await desk.api.createLink()).url).hash.slice(1)).get('link') ?? '';
    expect((await signIn({ secret: link })).status).toBe(403);
    for (const authorization of [`Bearer ${desk.token()}`, `Bearer paydesk_${'A'.repeat(43)}`]) {
      expect((await call('accounts/list', byProxy({ authorization }))).status).toBe(403);
      expect((await ask(url, 'POST', '/operator/links', byProxy({ authorization }))).status).toBe(403);
    }
    // At this computer the link still opens the console.
    expect((await signIn({ secret: link }, pageHeaders(url))).status).toBe(201);
  });

  it('attack: a PIN, right or wrong, in a browser where its person has signed in without it', async () => {
    const pin = '402917';
    const began = await signIn({ secret: await ownerLink() });
    const signedIn = signedInBy(began);
    const { setUp, secret } = json<{ setUp: string; secret: string }>(await call('ways/beginPassword', page(signedIn)));
    const code = codeOf(secret, stepAt(desk.clock.now()));
    await call('ways/setPassword', page(signedIn), { setUp, signInName: 'owner', password: PASSWORD, code });
    await desk.context.people.invite({ name: 'Ada', role: 'cashier' });
    expect((await call('ways/setPin', page(signedIn), { pin })).status).toBe(200);
    const { browserSecret } = JSON.parse(began.body) as { browserSecret: string };
    const cookie = (began.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
    const known = { ...page({ ...signedIn, cookie }), 'x-paydesk-browser': browserSecret };
    expect(json<{ pin: object }>(await call('ways/list', known))).toMatchObject({ pin: { browsers: [] } });
    const answers = [];
    const tries = [pin, '836104', '836104', '836104', '836104', '836104', pin];
    for (const typed of tries) answers.push(await signIn({ personId: 'owner', pin: typed }, known));
    expect((await ask(url, 'DELETE', '/operator/session', known)).status).toBe(204);
    for (const typed of tries) answers.push(await signIn({ personId: 'owner', pin: typed }, known));
    for (const { status, body } of answers) expect([status, body]).toEqual([403, '{"error":{"code":"pin_off"}}']);
    // Nobody is named there either, and nothing was counted.
    expect(JSON.parse((await ask(url, 'GET', '/operator/ways-in', known)).body)).toMatchObject({ people: [], password: true });
    expect(await desk.database.read.select().from(pinTries)).toEqual([]);
  });

  it.each([
    ['another name', { host: 'evil.example' }],
    ['its name with a port', { host: 'desk.example:8443' }],
    ['its name in a longer one', { host: 'desk.example.evil.example' }],
    ['its name without TLS', { 'x-forwarded-proto': 'http' }],
    ['its name without a proxy', { 'x-forwarded-proto': undefined }],
  ])('attack: a request to %s', async (_words, more) => {
    expect((await signIn({ secret: 'x' }, { ...page(), ...more })).status).toBe(421);
  });

  it('attack: a proxy that sends strangers to the name of this computer', async () => {
    const { host } = new URL(url);
    for (const more of [
      { 'x-forwarded-for': '203.0.113.7' },
      { forwarded: 'for=203.0.113.7' },
      { via: '1.1 proxy' },
      { 'x-forwarded-proto': 'https' },
    ])
      expect((await signIn({ secret: 'x' }, { ...pageHeaders(url), host, ...more })).status, JSON.stringify(more)).toBe(421);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no encryption', { origin: 'http://desk.example' }],
    ['this computer', { origin: 'http://localhost:3001' }],
    ['no origin', { origin: undefined }],
    ['another site', { 'sec-fetch-site': 'same-site' }],
    ['a page without the header', { 'x-paydesk-console': undefined }],
  ])('attack: a request from %s', async (_words, more) => {
    expect((await signIn({ secret: 'x' }, { ...page(), ...more })).status).toBe(403);
  });

  it('attack: the cookie of this computer or of the public listener, and a session of this computer with both secrets', async () => {
    const link = new URLSearchParams(new URL((await desk.api.createLink()).url).hash.slice(1)).get('link') ?? '';
    const here = signedInBy(await signIn({ secret: link }, pageHeaders(url)));
    expect((await call('people/list', pageHeaders(url, here))).status).toBe(200);
    expect((await call('people/list', page(here))).status).toBe(401);
    const value = here.cookie.split('=')[1];
    for (const cookie of [`__Host-paydesk=${value}`, `paydesk=${value}`, `interaction=${value}`])
      expect((await call('people/list', page({ ...here, cookie }))).status).toBe(401);
  });

  it('the page may stand in no frame, and names no folder of the node', async () => {
    const visit = await ask(url, 'GET', '/', byProxy({ accept: 'text/html' }));
    expect(visit.status).toBe(200);
    expect(visit.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(decodeURIComponent(visit.body)).not.toContain(desk.folder);
    expect(decodeURIComponent((await ask(url, 'GET', '/', { accept: 'text/html' })).body)).toContain(desk.folder);
  });
});

describe('the first visit', () => {
  const waysIn = async () => JSON.parse((await ask(url, 'GET', '/operator/ways-in', page())).body) as { setUp: boolean };

  it('asks for the setup code once, makes the owner, and never asks again', async () => {
    expect(await waysIn()).toMatchObject({ setUp: false });
    const code = await desk.api.offerSetUp(undefined);
    expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    expect(await waysIn()).toMatchObject({ setUp: true });
    expect((await signIn({ setUpCode: 'AAAA-BBBB' })).status).toBe(403);
    expect((await signIn({ setUpCode: code }, pageHeaders(url))).status).toBe(403);
    // Attack: guessing the code where a link is taken, which is not counted.
    expect((await signIn({ secret: setUpSecret(code ?? '') })).status).toBe(403);
    const signedIn = signedInBy(await signIn({ setUpCode: code?.toLowerCase().replaceAll('-', ' ') }));
    expect((await signIn({ setUpCode: code })).status).toBe(403);
    // Who closes the page before they have a way in gets another code at the next start.
    expect(await desk.api.offerSetUp(undefined)).toBeDefined();
    const { setUp, secret } = json<{ setUp: string; secret: string }>(await call('ways/beginPassword', page(signedIn)));
    const first = codeOf(secret, stepAt(desk.clock.now()));
    await call('ways/setPassword', page(signedIn), { setUp, signInName: 'olga', password: PASSWORD, code: first });
    expect(json(await call('people/me', page(signedIn)))).toMatchObject({ person: { id: 'owner' }, role: 'owner', isLimited: false });
    expect(await waysIn()).toMatchObject({ setUp: false });
  });

  it('attack: the setup code after set-up, one that was never used, and one that the operator chooses then', async () => {
    const [used, spare] = [await desk.api.offerSetUp(undefined), await desk.api.offerSetUp(undefined)];
    const signedIn = signedInBy(await signIn({ setUpCode: used }));
    const { options } = json<{ options: { challenge: string } }>(await call('ways/beginPasskey', page(signedIn)));
    const device = new TestAuthenticator();
    const answer = device.register({ challenge: options.challenge, origin: CONSOLE_URL, rpId: 'desk.example' });
    expect((await call('ways/addPasskey', page(signedIn), { name: 'Phone', answer })).status).toBe(200);
    for (const setUpCode of [used, spare]) expect((await signIn({ setUpCode })).status).toBe(403);
    expect(await desk.api.offerSetUp('ABCD-EFGH-IJKL-MNOP')).toBeUndefined();
    expect((await signIn({ setUpCode: 'ABCD-EFGH-IJKL-MNOP' })).status).toBe(403);
    expect(await waysIn()).toMatchObject({ setUp: false });
    expect(await desk.context.people.list()).toHaveLength(1);
  });

  it('takes the codes of two replicas that start together, and ends those of an earlier start', async () => {
    const early = await desk.api.offerSetUp(undefined);
    desk.clock.advance(10 * 60_000);
    const [first, second] = [await desk.api.offerSetUp(undefined), await desk.api.offerSetUp(undefined)];
    expect((await signIn({ setUpCode: early })).status).toBe(403);
    expect((await signIn({ setUpCode: first })).status).toBe(201);
    expect((await signIn({ setUpCode: second })).status).toBe(201);
    // A code that the operator has chosen replaces all others at once.
    const shown = await desk.api.offerSetUp(undefined);
    await desk.api.offerSetUp('my own code of 22');
    expect((await signIn({ setUpCode: shown })).status).toBe(403);
  });

  it('asks for none once somebody has used the node in any way', async () => {
    await desk.context.people.invite({ name: 'Ada', role: 'cashier' });
    expect(await desk.api.offerSetUp(undefined)).toBeUndefined();
  });

  it('attack: guessing the setup code is slowed down, and told apart from a wrong code', async () => {
    const code = await desk.api.offerSetUp(undefined);
    const statuses = [];
    for (let guess = 0; guess < 61; guess += 1) statuses.push((await signIn({ setUpCode: `AAAA-${guess}` })).status);
    expect(statuses.slice(0, 60).every((status) => status === 403)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    desk.clock.advance(1_000);
    expect((await signIn({ setUpCode: code })).status).toBe(201);
  });

  it('attack: guessing at one of three replicas meets a third of that rate there', async () => {
    await desk.api.offerSetUp(undefined);
    const replica = await desk.startConsole(0, { consoleUrl: CONSOLE_URL, trustedProxies: ['127.0.0.1'], shares: () => 3 });
    const guess = async () => (await ask(replica.url, 'POST', '/operator/session', page(), { setUpCode: 'AAAA' })).status;
    const statuses = [];
    for (let guesses = 0; guesses < 21; guesses += 1) statuses.push(await guess());
    await replica.close();
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 403), 429]);
  });

  it('takes the code that the operator has chosen, within a day', async () => {
    expect(await desk.api.offerSetUp('my own code of 22')).toBe('my own code of 22');
    desk.clock.advance(24 * 3_600_000);
    expect((await signIn({ setUpCode: 'MY OWN CODE OF 22' })).status).toBe(403);
    expect(await waysIn()).toMatchObject({ setUp: false });
    await desk.api.offerSetUp('my own code of 22');
    expect((await signIn({ setUpCode: 'MY OWN CODE OF 22' })).status).toBe(201);
  });
});
