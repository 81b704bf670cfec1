import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestAuthenticator } from '../sign-in/testing/authenticator.ts';
import { type Answer, ask, follow, type Headers, pageHeaders } from '../testing/ask.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import type { RunningConsole } from './console-server.ts';

// One browser of a shop, in which one person takes over from another.

const PIN = '402917';

/** What a browser keeps. */
interface Jar {
  session?: string;
  browser?: string;
  pageSecret?: string;
  browserSecret?: string;
}

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

const headers = ({ session, browser, pageSecret, browserSecret }: Jar): Headers => ({
  ...pageHeaders(url),
  cookie: [session, browser].filter((one) => one !== undefined).join('; '),
  'x-paydesk-session': pageSecret,
  'x-paydesk-browser': browserSecret,
});
const call = (operation: string, jar: Jar, input: object = {}) =>
  ask(url, 'POST', `/operator/rpc/${operation}`, headers(jar), { json: input });
const json = <T>(answer: { body: string }): T => (JSON.parse(answer.body) as { json: T }).json;

async function signIn(by: object, jar: Jar): Promise<Answer> {
  const answer = await ask(url, 'POST', '/operator/session', headers(jar), by);
  if (answer.status !== 201) return answer;
  const cookies = (answer.headers['set-cookie'] ?? []).map((one) => one.split(';')[0] ?? '');
  Object.assign(jar, JSON.parse(answer.body) as Jar, {
    session: cookies.find((one) => /^paydesk_\d+=/.test(one)),
    browser: cookies.find((one) => one.startsWith('paydesk_browser_')),
  });
  return answer;
}
const handOver = (jar: Jar) => ask(url, 'DELETE', '/operator/session', headers(jar));
const waysIn = async (jar: Jar) =>
  JSON.parse((await ask(url, 'GET', '/operator/ways-in', headers(jar))).body) as { people: { name: string }[] };
const codeOfOperation = (answer: Answer) => json<{ code: string }>(answer).code;
const codeOf = ({ body }: Answer) => (JSON.parse(body) as { error: { code: string } }).error.code;

async function invited(name: string, role: 'owner' | 'cashier' | 'manager', jar: Jar) {
  const made = await desk.context.people.invite({ name, role });
  if (!made.ok) throw new Error(made.error);
  expect((await signIn({ secret: made.value.secret }, jar)).status).toBe(201);
  return made.value.id;
}

it('a cashier hands the browser over, and an owner takes over by their PIN', async () => {
  const jar: Jar = {};
  const olga = await invited('Olga', 'owner', jar);
  expect((await call('ways/setPin', jar, { pin: PIN })).status).toBe(200);
  desk.clock.advance(60_000);
  await invited('Carl', 'cashier', jar);
  expect(json(await call('people/me', jar))).toMatchObject({ role: 'cashier', byPin: false, isShared: true });
  const carls = { ...jar };
  const stream = await follow(url, '/operator/api/changes', headers(jar));
  expect((await handOver(jar)).status).toBe(204);
  // The screen that was handed over is told nothing more, and answers nothing.
  await stream.closed;
  for (const operation of ['requests/list', 'people/me', 'node/info', 'lock/state'])
    expect((await call(operation, carls)).status).toBe(401);
  expect((await waysIn(jar)).people).toMatchObject([{ name: 'Carl' }, { name: 'Olga' }]);

  expect(codeOf(await signIn({ personId: olga, pin: '836104' }, jar))).toBe('wrong_pin');
  expect((await signIn({ personId: olga, pin: PIN }, jar)).status).toBe(201);
  expect(json(await call('people/me', jar))).toMatchObject({ person: { id: olga }, role: 'owner', byPin: true });
  // The cookie of the person before, with the secret of either page.
  for (const pageSecret of [carls.pageSecret, jar.pageSecret]) expect((await call('people/me', { ...carls, pageSecret })).status).toBe(401);
  expect((await call('people/me', { ...jar, pageSecret: carls.pageSecret })).status).toBe(401);
});

it('while the node is locked a person takes over by PIN or passkey, and it stays locked until they type the passphrase', async () => {
  const passphrase = 'four plain words here';
  const jar: Jar = {};
  const olga = await invited('Olga', 'owner', jar);
  await call('ways/setPin', jar, { pin: PIN });
  const { options } = json<{ options: { challenge: string } }>(await call('ways/beginPasskey', jar));
  const device = new TestAuthenticator();
  const asked = { origin: url, rpId: new URL(url).hostname };
  await call('ways/addPasskey', jar, { name: 'Desk', answer: device.register({ challenge: options.challenge, ...asked }) });
  await invited('Carl', 'cashier', jar);
  const owner = desk.callsAs({ role: 'owner' });
  await owner.lock.protect({ passphrase, settings: { idleMinutes: null, atStart: true } });

  const byPasskey = async () => {
    const begun = JSON.parse((await ask(url, 'POST', '/operator/passkey-challenges', headers(jar))).body) as { challenge: string };
    return { passkey: device.assert({ challenge: begun.challenge, ...asked }) };
  };
  for (const way of [async () => ({ personId: olga, pin: PIN }), byPasskey]) {
    await owner.lock.now();
    // The screen of a locked node is handed over as any other, and tells who was there.
    expect((await handOver(jar)).status).toBe(204);
    expect((await waysIn(jar)).people.map(({ name }) => name).sort()).toEqual(['Carl', 'Olga']);
    expect((await signIn({ personId: olga, pin: '836104' }, jar)).status).toBe(403);
    expect((await signIn(await way(), jar)).status).toBe(201);
    for (const operation of ['people/me', 'accounts/list', 'people/list', 'ways/list'])
      expect((await call(operation, jar)).status, operation).toBe(423);
    // A PIN does not open what a passkey does, locked or not.
    const status = way === byPasskey ? 423 : 403;
    for (const operation of ['lock/removePassphrase', 'ways/setPin']) expect((await call(operation, jar)).status, operation).toBe(status);
    expect(codeOfOperation(await call('lock/open', jar, { passphrase: PIN }))).toBe('WRONG_PASSPHRASE');
    expect(json(await call('lock/state', jar))).toMatchObject({ locked: true });
    expect((await call('lock/open', jar, { passphrase })).status).toBe(200);
    expect(json(await call('people/me', jar))).toMatchObject({ person: { id: olga }, byPin: way !== byPasskey });
  }
});

it('attack: the PIN from another browser, with one of the two secrets of the right one, and by its cookie of another place', async () => {
  const jar: Jar = {};
  const olga = await invited('Olga', 'owner', jar);
  await call('ways/setPin', jar, { pin: PIN });
  await handOver(jar);
  const other: Jar = {};
  await invited('Carl', 'cashier', other);
  const attempts: Jar[] = [{}, other, { browser: jar.browser }, { browserSecret: jar.browserSecret }];
  attempts.push({ browser: jar.browser, browserSecret: other.browserSecret }, { browser: other.browser, browserSecret: jar.browserSecret });
  for (const tried of attempts) {
    expect(codeOf(await signIn({ personId: olga, pin: PIN }, { ...tried }))).toBe('pin_off');
    if (tried !== other) expect((await waysIn(tried)).people).toEqual([]);
  }
  expect(codeOf(await signIn({ personId: olga, pin: ['402917'] }, { ...jar }))).toBe('bad_request');
  expect(codeOf(await signIn({ personId: olga, pin: '40291' }, { ...jar }))).toBe('bad_request');
  expect((await signIn({ personId: olga, pin: PIN }, jar)).status).toBe(201);
});

it('attack: whoever came in by a PIN changes how people get in, or confirms as the second person', async () => {
  const jar: Jar = {};
  const olga = await invited('Olga', 'owner', jar);
  await call('ways/setPin', jar, { pin: PIN });
  await handOver(jar);
  await signIn({ personId: olga, pin: PIN }, jar);
  const refused = [
    'ways/beginPasskey',
    'ways/addPasskey',
    'ways/setPassword',
    'ways/setPin',
    'people/invite',
    'people/makeLink',
    'people/change',
  ];
  for (const operation of [...refused, 'apiKeys/create', 'lock/protect', 'secondPerson/set', 'waiting/confirm', 'restore/begin']) {
    const answer = await call(operation, jar);
    expect([operation, answer.status, json<{ code: string }>(answer).code]).toEqual([operation, 403, 'NOT_BY_PIN']);
  }
  const { may } = json<{ may: string[] }>(await call('people/me', jar));
  expect(may).toContain('accounts.list');
  expect(may).not.toContain('people.invite');
  expect((await call('ways/list', jar)).status).toBe(200);
  expect(json(await call('ways/removePin', jar))).toEqual({ removed: true });
});

it('a person sees where their PIN works, and ends a browser in one click: the session there, and the PIN', async () => {
  const [tablet, phone]: Jar[] = [{}, {}];
  const mia = await invited('Mia', 'manager', tablet ?? {});
  await call('ways/setPin', tablet ?? {}, { pin: PIN });
  const link = await desk.context.people.makeLink(mia);
  await signIn({ secret: link.ok ? link.value.secret : '' }, phone ?? {});
  type Listed = { pin: { setAt: string; browsers: { id: string; isThisOne: boolean }[] } };
  const { pin } = json<Listed>(await call('ways/list', phone ?? {}));
  expect(pin.browsers).toHaveLength(2);
  const lost = pin.browsers.find(({ isThisOne }) => !isThisOne);
  const carl: Jar = {};
  await invited('Carl', 'cashier', carl);
  // A browser of somebody else is for the caller as good as none.
  expect(json(await call('ways/forgetBrowser', carl, { id: lost?.id }))).toEqual({ forgotten: false });
  expect(json(await call('ways/forgetBrowser', phone ?? {}, { id: lost?.id }))).toEqual({ forgotten: true });
  expect((await call('people/me', tablet ?? {})).status).toBe(401);
  expect(codeOf(await signIn({ personId: mia, pin: PIN }, tablet ?? {}))).toBe('pin_off');
  expect((await call('people/me', phone ?? {})).status).toBe(200);
});

it('an owner sees who has a PIN, and takes it away', async () => {
  const jar: Jar = {};
  const mia = await invited('Mia', 'manager', jar);
  await call('ways/setPin', jar, { pin: PIN });
  const owner = desk.callsAs({ role: 'owner' });
  expect((await owner.people.list()).people.find(({ id }) => id === mia)).toMatchObject({ hasPin: true });
  expect(await owner.people.removePin({ id: mia })).toEqual({ removed: true });
  expect(await owner.people.removePin({ id: mia })).toEqual({ removed: false });
  await handOver(jar);
  expect(codeOf(await signIn({ personId: mia, pin: PIN }, jar))).toBe('wrong_pin');
});
