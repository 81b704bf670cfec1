import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type grantRequest, testClient } from '../../access/testing/access.ts';
import { ask, otherCode } from '../../access/testing/flows.ts';
import { ManualClock } from '../../platform/clock.ts';
import { RateLimits } from '../http/rate-limits.ts';
import { CLIENT_URL, openTestDoor, type TestDoor } from '../testing/door.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 1, 14, 5));
let door: TestDoor;
beforeEach(async () => {
  door = await openTestDoor({ clock });
});
afterEach(() => door.close());

async function asked(change: Parameters<typeof grantRequest>[0] = {}) {
  const pending = await ask(door.access, change);
  const { id, nonce } = pending.interaction;
  return { ...pending, path: `/auth/interact/${id}/${nonce}` };
}

const codeOn = (html: string): string => /data-code="(\d{4})"/.exec(html)?.[1] ?? '';

async function decide(grantId: string, code: string) {
  const shown = await door.access.views.getApproval(grantId);
  return await door.access.approvals.approve({ id: grantId, code, shownHash: shown?.shownHash ?? '' });
}

test('the page shows the code, the client and the time of lapsing, and escapes the client’s name', async () => {
  expect(CLIENT_URL).toBe('https://shop.example/till');
  const { path } = await asked({ client: testClient('till', 'https://shop.example') });
  const page = await door.app.inject(path);
  expect(page.statusCode).toBe(200);
  const code = codeOn(page.body);
  expect(page.body).toContain(`>${code}</p>`);
  expect(page.body).toContain('<bdi>shop.example/till</bdi>');
  expect(page.body).toContain('“<bdi>Corner &lt;b&gt;Bookshop&lt;/b&gt; &amp; Co</bdi>”');
  expect(page.body).toContain('14:15 UTC');
  expect(page.body).toContain('<noscript><meta http-equiv="refresh" content="4"></noscript>');
  expect(page.body.match(/https?:\/\//g)).toBeNull();
  expect(codeOn((await door.app.inject(path)).body)).toBe(code);
});

test('the page cannot be framed or cached, and runs only its own script', async () => {
  const { path } = await asked();
  const [one, two] = [await door.app.inject(path), await door.app.inject(path)];
  const policy = String(one.headers['content-security-policy']);
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  expect(nonce).toMatch(/^[\w+/=]{24}$/);
  expect(one.body).toContain(`<script type="module" nonce="${nonce}">`);
  expect(two.headers['content-security-policy']).not.toContain(nonce);
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"])
    expect(policy).toContain(part);
  expect(one.headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'content-type': 'text/html; charset=utf-8',
  });
});

describe('after the decision', () => {
  test('an approval sends the browser back with hash and reference, however often the page is loaded, until the reference is used', async () => {
    const { path, grantId, continuation } = await asked();
    await decide(grantId, codeOn((await door.app.inject(path)).body));
    const [one, two] = [await door.app.inject(path), await door.app.inject(path)];
    expect(one.statusCode).toBe(303);
    expect(one.headers.location).toMatch(/^https:\/\/shop\.example\/back\?session=7&hash=[\w%]+&interact_ref=[\w-]{43}$/);
    expect(two.headers.location).toBe(one.headers.location);
    const grant = await door.access.continuations.find(continuation.id, continuation.token);
    if (grant === undefined) throw new Error('no grant');
    await door.access.continuations.continue(grant, new URL(String(one.headers.location)).searchParams.get('interact_ref') ?? '');
    const after = await door.app.inject(path);
    expect([after.statusCode, after.headers.location]).toEqual([200, undefined]);
  });

  test('five wrong codes send the browser back as a denial does', async () => {
    const { path, grantId } = await asked();
    const code = codeOn((await door.app.inject(path)).body);
    for (let i = 0; i < 5; i++) await decide(grantId, otherCode(code));
    const back = await door.app.inject(path);
    expect([back.statusCode, back.headers.location]).toEqual([303, 'https://shop.example/back?session=7&result=grant_rejected']);
  });

  test('a lapsed or withdrawn request sends the browser back with that reason', async () => {
    const lapsed = await asked();
    const withdrawn = await asked();
    await door.access.continuations.cancel(withdrawn.grantId);
    expect((await door.app.inject(withdrawn.path)).headers.location).toBe(
      'https://shop.example/back?session=7&result=unknown_interaction&message=unknown%20interaction',
    );
    clock.advance(5 * 60_000);
    expect((await door.app.inject(lapsed.path)).headers.location).toBe(
      'https://shop.example/back?session=7&result=invalid_interaction&message=interaction%20expired',
    );
  });

  test.each(['approved', 'denied', 'lapsed', 'revoked'] as const)(
    'the page of a request without a finish says that it is done: %s',
    async (outcome) => {
      const { path, grantId } = await asked({ interact: { finish: undefined } });
      const code = codeOn((await door.app.inject(path)).body);
      if (outcome === 'approved') await decide(grantId, code);
      if (outcome === 'denied') await door.access.approvals.deny(grantId);
      if (outcome === 'lapsed') clock.advance(10 * 60_000);
      if (outcome === 'revoked') await door.access.continuations.cancel(grantId);
      const page = await door.app.inject(path);
      expect(page.statusCode).toBe(200);
      expect(page.body).not.toContain('data-code');
      expect(page.body).not.toContain('<script');
    },
  );
});

test('wrong and guessed URLs are answered with not found', async () => {
  const [one, two] = [await asked(), await asked()];
  const paths = [
    one.path.slice(0, -1),
    `/auth/interact/${one.interaction.id}/${two.interaction.nonce}`,
    `/auth/interact/99999999-9999-4999-8999-999999999999/${one.interaction.nonce}`,
  ];
  for (const path of paths) {
    const page = await door.app.inject(path);
    expect([page.statusCode, page.body.includes('There is no such request')]).toEqual([404, true]);
    expect((await door.app.inject(`${path}/state`)).statusCode).toBe(404);
  }
  expect((await door.app.inject('/auth/interact/1/2')).statusCode).toBe(404);
  expect((await door.app.inject({ method: 'HEAD', url: one.path })).statusCode).toBe(404);
  expect(await door.access.views.listApprovals()).toEqual([]);
});

test('the waiting page learns of the decision when the operator makes it', async () => {
  const { path, grantId } = await asked();
  await door.app.inject(path);
  const { database } = door.access;
  const listens = Promise.withResolvers<void>();
  const onCommit = database.onCommit.bind(database);
  vi.spyOn(database, 'onCommit').mockImplementation((listener) => {
    listens.resolve();
    return onCommit(listener);
  });
  const state = door.app.inject(`${path}/state`);
  await listens.promise;
  await door.access.approvals.deny(grantId);
  expect((await state).json()).toEqual({ waiting: false });
  expect((await door.app.inject(`${path}/state`)).json()).toEqual({ waiting: false });
});

describe('a page that waits', () => {
  let limited: TestDoor | undefined;
  afterEach(() => limited?.close());

  test('keeps nobody waiting, and pays for what it reads and not for what the node does meanwhile', async () => {
    let [used, crowd] = [0, 0];
    const begin = () => {
      crowd += 1;
      return () => (crowd -= 1);
    };
    const parts = { clock, processor: () => used, pressure: { shed: 'nobody', begin } as const, holdBack: async () => undefined };
    const limits = new RateLimits({ perAddress: 20_000, perClient: 20_000 }, parts);
    limited = await openTestDoor({ clock, limits });
    const { app, access } = limited;
    const { interaction, grantId } = await ask(access);
    const path = `/auth/interact/${interaction.id}/${interaction.nonce}`;
    expect((await app.inject(path)).statusCode).toBe(200);
    const [work, hasRead] = [limits.whileWorking.bind(limits), Promise.withResolvers<void>()];
    vi.spyOn(limits, 'whileWorking').mockImplementation((request, read) => work(request, read).finally(hasRead.resolve));
    const state = app.inject(`${path}/state`);
    await hasRead.promise;
    expect(crowd).toBe(0);
    used += 60_000;
    await access.approvals.deny(grantId);
    expect((await state).json()).toEqual({ waiting: false });
    expect((await app.inject(path)).statusCode).toBe(303);
    const costly = (read: () => Promise<unknown>) => () => read().finally(() => (used += 60_000));
    vi.spyOn(limits, 'whileWorking').mockImplementation((request, read) => work(request, costly(read) as typeof read));
    await app.inject(`${path}/state`);
    expect((await app.inject(path)).statusCode).toBe(429);
  });
});

test('a browser that opens a link from before sees a page, and a program gets JSON', async () => {
  const browser = { accept: 'text/html,application/xhtml+xml' };
  for (const path of ['/auth/interact/mine/abc', `/auth/interact/${'9'.repeat(36)}/${'n'.repeat(65)}`]) {
    const page = await door.app.inject({ url: path, headers: browser });
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    const answer = await door.app.inject({ url: path, headers: { accept: 'text/html;q=0, application/json' } });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  }
});
