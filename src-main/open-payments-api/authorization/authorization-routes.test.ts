import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signRequest, testKey } from '../../access/http-signatures/testing/signed-requests.ts';
import { grants } from '../../access/tables.ts';
import { TEST_ORIGIN } from '../../access/testing/access.ts';
import { ManualClock } from '../../platform/clock.ts';
import { CLIENT_URL, openTestDoor, type TestDoor } from '../testing/door.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 1));
let door: TestDoor;
beforeEach(async () => {
  door = await openTestDoor({ clock });
});
afterEach(() => door.close());

interface Call {
  method?: 'GET' | 'POST' | 'DELETE';
  token?: string;
  body?: unknown;
  key?: TestDoor['key'];
  origin?: string;
  moreParameters?: string;
  components?: string[];
}

let calls = 0;
/** Makes a signed call, which is no copy of another. It is a `POST` unless a test says otherwise. */
async function call(path: string, { method = 'POST', token, body, key = door.key, origin = TEST_ORIGIN, ...signing }: Call = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const request = { method, url: origin + path, ...(token !== undefined && { token }), ...(text !== undefined && { body: text }) };
  const created = Math.floor(clock.now() / 1000);
  const headers = {
    'content-type': 'application/json',
    ...signRequest(request, key, { created, moreParameters: `;n=${calls++}`, ...signing }),
  };
  const answer = await door.app.inject({ method, url: path, headers, ...(text !== undefined && { payload: text }) });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json(), headers: answer.headers };
}

const paying = (change: object = {}) => ({
  client: CLIENT_URL,
  access_token: {
    access: [
      {
        type: 'outgoing-payment',
        actions: ['create'],
        identifier: `${TEST_ORIGIN}/alice`,
        limits: { debitAmount: { value: '1000', assetCode: 'USD', assetScale: 2 } },
      },
    ],
  },
  interact: { start: ['redirect'], finish: { method: 'redirect', uri: 'https://shop.example/back', nonce: 'n1' } },
  ...change,
});
const quoting = (change: object = {}) => ({
  client: CLIENT_URL,
  access_token: { access: [{ type: 'quote', actions: ['create'] }] },
  ...change,
});
const problem = (status: number, code: string) => ({ status, body: { error: { code, description: expect.any(String) } } });

describe('the authorization server', () => {
  test.each<[string, unknown, number, string]>([
    ['no client', quoting({ client: undefined }), 400, 'invalid_request'],
    ['a client that is no URL', quoting({ client: 'bookshop' }), 400, 'invalid_client'],
    ['a client whose key is unknown', quoting({ client: 'https://stranger.example/x' }), 400, 'invalid_client'],
    ['a client of the other profile', quoting({ client: { key: { proof: 'httpsig' } } }), 400, 'invalid_request'],
    ['nothing wanted', { client: CLIENT_URL }, 400, 'invalid_request'],
    ['an unknown right', quoting({ access_token: { access: [{ type: 'quote', actions: ['list'] }] } }), 400, 'invalid_request'],
    ['no interact', paying({ interact: undefined }), 400, 'invalid_request'],
    ['another start', paying({ interact: { start: ['app'] } }), 400, 'invalid_request'],
    [
      'a finish without a nonce',
      paying({ interact: { start: ['redirect'], finish: { method: 'redirect', uri: 'https://a.example' } } }),
      400,
      'invalid_request',
    ],
    [
      'a nonce with a line break',
      paying({ interact: { start: ['redirect'], finish: { method: 'redirect', uri: 'https://a.example', nonce: 'a\nb' } } }),
      400,
      'invalid_request',
    ],
    [
      'a finish in a script',
      paying({ interact: { start: ['redirect'], finish: { method: 'redirect', uri: 'javascript:alert(1)', nonce: 'n' } } }),
      400,
      'invalid_request',
    ],
    [
      'two subjects',
      paying({
        subject: {
          sub_ids: [
            { id: 'a', format: 'uri' },
            { id: 'b', format: 'uri' },
          ],
        },
      }),
      400,
      'invalid_request',
    ],
    ['a body that is no object', [], 400, 'invalid_request'],
  ])('refuses a grant request with %s', async (_, body, status, code) => {
    expect(await call('/auth', { body })).toMatchObject(problem(status, code));
  });

  test('refuses a grant request without a body, and with a body of two meanings', async () => {
    expect(await call('/auth')).toMatchObject(problem(400, 'invalid_request'));
    const payload = JSON.stringify(quoting()).replace('{', `{"client":"${CLIENT_URL}",`);
    const answer = await door.app.inject({ method: 'POST', url: '/auth', headers: { 'content-type': 'application/json' }, payload });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: { description: 'The body has a key twice.' } }]);
  });

  test('refuses a fourth grant request while the pages of three of the client are open', async () => {
    for (let i = 0; i < 3; i++) {
      const { body } = await call('/auth', { body: paying() });
      expect((await door.app.inject(new URL(body.interact.redirect).pathname)).statusCode).toBe(200);
    }
    expect(await call('/auth', { body: paying() })).toMatchObject(problem(429, 'too_many_requests'));
  });
});

describe('a signature', () => {
  test('is refused when it is missing, of another key, for another URL, or without the digest', async () => {
    const stranger = await testKey(door.key.kid);
    expect(await call('/auth', { body: quoting(), key: stranger })).toMatchObject(problem(401, 'invalid_client'));
    const unsigned = await door.app.inject({ method: 'POST', url: '/auth', payload: quoting() });
    expect([unsigned.statusCode, unsigned.json()]).toMatchObject([401, { error: { code: 'invalid_client' } }]);
    expect(unsigned.headers['www-authenticate']).toBe(`GNAP as_uri=${TEST_ORIGIN}/auth`);
    expect(await call('/auth', { body: quoting(), origin: 'https://other.example' })).toMatchObject(problem(401, 'invalid_client'));
    expect(await call('/auth', { body: quoting(), components: ['@method', '@target-uri'] })).toMatchObject(problem(401, 'invalid_client'));
  });

  test('is taken once when it has a nonce', async () => {
    const moreParameters = ';nonce="7"';
    expect((await call('/auth', { body: quoting(), moreParameters })).status).toBe(200);
    expect(await call('/auth', { body: quoting(), moreParameters })).toMatchObject(problem(401, 'invalid_client'));
    expect((await call('/auth', { body: quoting(), moreParameters: ';nonce="8"' })).status).toBe(200);
  });

  test('counts under a former origin, whose URL then goes into the interaction hash', async () => {
    const asked = await call('/auth', { body: paying(), origin: 'http://former.example' });
    expect(asked.status).toBe(200);
    const [row] = await door.access.database.read.select({ endpoint: grants.endpoint }).from(grants);
    expect(row?.endpoint).toBe('http://former.example/auth');
  });

  test('of another key opens nothing, even with a valid token', async () => {
    const { body } = await call('/auth', { body: quoting() });
    const key = await testKey(door.key.kid);
    const continuation = { path: new URL(body.continue.uri).pathname, token: body.continue.access_token.value };
    const manage = { path: new URL(body.access_token.manage).pathname, token: body.access_token.value };
    for (const { path, token } of [continuation, manage]) {
      for (const method of ['POST', 'DELETE'] as const) {
        expect(await call(path, { method, token, key })).toMatchObject(problem(401, 'invalid_client'));
      }
    }
    expect(await call('/whoami', { method: 'GET', token: manage.token, key })).toMatchObject(problem(401, 'invalid_signature'));
    expect((await call('/whoami', { method: 'GET', token: manage.token })).status).toBe(200);
  });
});

describe('a continuation', () => {
  const start = async (change: object = {}) => {
    const { body } = await call('/auth', { body: paying(change) });
    return { path: new URL(body.continue.uri).pathname, token: body.continue.access_token.value as string };
  };

  test('is refused with a missing, wrong or foreign token', async () => {
    const [one, two] = [await start(), await start()];
    expect(await call(one.path, { body: { interact_ref: 'x' } })).toMatchObject(problem(401, 'invalid_continuation'));
    expect(await call(one.path, { token: two.token })).toMatchObject(problem(404, 'invalid_continuation'));
    expect(await call('/auth/continue/99999999-9999-4999-8999-999999999999', { token: one.token })).toMatchObject(
      problem(404, 'invalid_continuation'),
    );
    expect(await call('/auth/continue/1', { token: one.token })).toMatchObject(problem(404, 'not_found'));
    expect(await call(one.path, { method: 'DELETE', token: two.token })).toMatchObject(problem(404, 'invalid_request'));
  });

  test('is refused without a reference, too early, and by polling when the client asked for a finish', async () => {
    const { path, token } = await start();
    expect(await call(path, { token, body: { other: 1 } })).toMatchObject(problem(400, 'invalid_request'));
    expect(await call(path, { token, body: { interact_ref: 7 } })).toMatchObject(problem(400, 'invalid_request'));
    expect(await call(path, { token })).toMatchObject(problem(401, 'request_denied'));
    const polled = await start({ interact: { start: ['redirect'] } });
    expect(await call(polled.path, { token: polled.token, body: {} })).toMatchObject(problem(400, 'too_fast'));
    clock.advance(5_000);
    expect(await call(polled.path, { token: polled.token })).toMatchObject({
      status: 200,
      body: { continue: { uri: TEST_ORIGIN + polled.path, access_token: { value: polled.token }, wait: 5 } },
    });
  });

  test('is refused after the client has cancelled the request', async () => {
    const { path, token } = await start();
    expect(await call(path, { method: 'DELETE', token })).toMatchObject({ status: 204, body: undefined });
    expect(await call(path, { token, body: { interact_ref: 'x' } })).toMatchObject(problem(404, 'invalid_continuation'));
  });
});

describe('the management of tokens', () => {
  test('refuses unknown tokens, foreign values and requests without a token', async () => {
    const [one, two] = [(await call('/auth', { body: quoting() })).body, (await call('/auth', { body: quoting() })).body];
    const path = new URL(one.access_token.manage).pathname;
    for (const method of ['POST', 'DELETE'] as const) {
      expect(await call(path, { method, token: two.access_token.value })).toMatchObject(problem(401, 'invalid_client'));
      expect(await call(path, { method, token: one.continue.access_token.value })).toMatchObject(problem(401, 'invalid_client'));
      expect(await call(path, { method })).toMatchObject(problem(401, 'invalid_client'));
      expect(await call('/auth/token/99999999-9999-4999-8999-999999999999', { method, token: one.access_token.value })).toMatchObject(
        problem(401, 'invalid_client'),
      );
    }
    expect((await call('/whoami', { method: 'GET', token: one.access_token.value })).status).toBe(200);
  });

  test('refuses a key that the client does not have', async () => {
    const { body } = await call('/auth', { body: quoting() });
    const key = { ...door.key, kid: 'another' };
    for (const method of ['POST', 'DELETE'] as const) {
      const path = new URL(body.access_token.manage).pathname;
      expect(await call(path, { method, token: body.access_token.value, key })).toMatchObject(problem(401, 'invalid_client'));
    }
    const [path, token] = [new URL(body.continue.uri).pathname, body.continue.access_token.value];
    expect(await call(path, { method: 'DELETE', token, key })).toMatchObject(problem(401, 'invalid_client'));
    expect(await call(path, { token, key })).toMatchObject(problem(400, 'invalid_client'));
  });

  test('repeats a rotation whose answer was lost, until the client uses the new token', async () => {
    const { body } = await call('/auth', { body: quoting() });
    const rotate = () => call(new URL(body.access_token.manage).pathname, { token: body.access_token.value });
    const [first, second] = [await rotate(), await rotate()];
    expect(second.body).toEqual(first.body);
    expect((await call('/whoami', { method: 'GET', token: first.body.access_token.value })).status).toBe(200);
    expect(await rotate()).toMatchObject(problem(400, 'invalid_rotation'));
  });

  test('rotates an expired token, which resources refuse', async () => {
    const { body } = await call('/auth', { body: quoting() });
    const token = body.access_token.value;
    clock.advance(599_999);
    expect((await call('/whoami', { method: 'GET', token })).status).toBe(200);
    clock.advance(1);
    expect(await call('/whoami', { method: 'GET', token })).toMatchObject(problem(401, 'invalid_token'));
    expect((await call(new URL(body.access_token.manage).pathname, { token })).status).toBe(200);
  });
});

test('resources say where to ask for a grant', async () => {
  const refused = await Promise.all([
    door.app.inject('/whoami'),
    door.app.inject({ url: '/whoami', headers: { authorization: 'Bearer x' } }),
    door.app.inject({ url: '/whoami', headers: { authorization: 'GNAP unknown' } }),
  ]);
  expect(refused.map((answer) => [answer.statusCode, answer.json().error.code])).toEqual([
    [401, 'missing_authorization'],
    [401, 'missing_authorization'],
    [401, 'invalid_token'],
  ]);
  for (const { headers } of refused) expect(headers['www-authenticate']).toBe(`GNAP as_uri=${TEST_ORIGIN}/auth`);
});

test('a client with only a key gets what needs no approval, and cannot start an interaction', async () => {
  const asked = await call('/auth', { body: quoting({ client: { jwk: door.key.jwk } }) });
  expect(asked.status).toBe(200);
  const who = await call('/whoami', { method: 'GET', token: asked.body.access_token.value });
  expect(who.body.client).toBe(`jwk:${door.key.thumbprint}`);
  const interactive = await call('/auth', { body: paying({ client: { jwk: door.key.jwk } }) });
  expect(interactive).toMatchObject({
    ...problem(400, 'invalid_client'),
    body: { error: { description: expect.stringContaining('JWK') } },
  });
});

test('the discovery document names the endpoint and the modes of interaction', async () => {
  expect((await door.app.inject('/auth/discovery')).json()).toEqual({
    grant_request_endpoint: `${TEST_ORIGIN}/auth`,
    interaction_start_modes_supported: ['redirect'],
    interaction_finish_modes_supported: ['redirect'],
  });
});
