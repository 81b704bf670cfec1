import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashSecret } from '../access/secrets.ts';
import { accessTokens } from '../access/tables.ts';
import { appendEvent } from '../journal/events.ts';
import { ENDPOINTS, type EndpointName, isEndpoint } from '../open-payments-api/description/endpoints.ts';
import { type Condition, PROBLEMS } from '../open-payments-api/http/problems.ts';
import { DatabaseStopped } from '../platform/database/database.ts';
import { EVERYTHING, incomingPayment, outgoingPayment, pathOf, quote } from './testing/error-cases.ts';
import { portOf, rawAnswer } from './testing/raw-sockets.ts';
import { openTestNode, type TestNode, type TestRequest } from './testing/test-node.ts';

const NAMES = Object.keys(ENDPOINTS).filter(isEndpoint);
const ID = '99999999-9999-4999-8999-999999999999';
/** An example URL of an endpoint. */
const someUrl = (name: EndpointName): string =>
  (name.split(' ')[1] ?? '').replace(/:(\w+)/g, (_, part) => (part === 'name' ? 'alice' : ID));
const someRequest = (name: EndpointName): TestRequest => ({
  method: name.startsWith('GET') ? 'GET' : name.startsWith('POST') ? 'POST' : 'DELETE',
  url: someUrl(name),
});

let node: TestNode;
afterEach(() => node.close());

/** Checks what every refusal has. */
const expectRefusal = (answer: { statusCode: number; headers: object; body: string }, condition: Condition) => {
  const { status, code, words } = PROBLEMS[condition];
  expect([answer.statusCode, JSON.parse(answer.body)]).toMatchObject([status, { error: { code, description: words } }]);
  expect(answer.headers).toMatchObject({ 'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/), 'access-control-allow-origin': '*' });
};

describe('a fault inside the node', () => {
  const SECRET = 'select value from T0PSECRET';
  let fault: () => Error;
  beforeEach(async () => {
    node = await openTestNode();
    node.app.addHook('preValidation', async () => {
      throw fault();
    });
  });

  test.each(NAMES)('is not disclosed at %s', async (name) => {
    const sqliteError = (code: string) => () => Object.assign(new Error(SECRET), { code, cause: new TypeError(SECRET) });
    fault = sqliteError('SQLITE_ERROR');
    const failed = await node.app.inject(someRequest(name));
    expectRefusal(failed, 'internal');
    fault = sqliteError('SQLITE_IOERR');
    const unreadable = await node.app.inject(someRequest(name));
    expectRefusal(unreadable, 'unavailable');
    fault = () => new DatabaseStopped(SECRET);
    const stopped = await node.app.inject(someRequest(name));
    expectRefusal(stopped, 'unavailable');
    for (const { body, headers } of [failed, unreadable, stopped]) {
      expect(body).not.toMatch(/T0PSECRET|SQLITE|\.ts|stack|\\n/);
      expect(JSON.parse(body).error.details).toEqual({ requestId: headers['x-request-id'] });
    }
  });
});

test('a node whose disk is full is not ready until it stores something again', async () => {
  node = await openTestNode();
  const { database } = node;
  const store = (payload: string) =>
    database.write((tx) => appendEvent(tx, { type: 'account.created', subject: 'a', body: { payload }, at: 1 }));
  const giveRoom = await node.test.breakDisk();
  await expect(store('x'.repeat(50_000))).rejects.toThrow('Is the disk full?');
  expectRefusal(await node.app.inject('/readyz'), 'unavailable');
  await giveRoom();
  await store('');
  expect((await node.app.inject('/readyz')).statusCode).toBe(200);
});

test.each(NAMES)('%s is refused to an address that asks too often', async (name) => {
  node = await openTestNode({ config: { addressRate: 1 } });
  const taken = [await node.app.inject('/healthz'), await node.app.inject('/healthz')];
  expect(taken.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const answer = await node.app.inject(someRequest(name));
  expectRefusal(answer, 'rate_limited');
  expect(answer.headers['retry-after']).toBe('1');
});

test.each(NAMES)('%s refuses a content encoding', async (name) => {
  node = await openTestNode();
  for (const encoding of ['gzip', 'br, identity', ''])
    expectRefusal(await node.app.inject({ ...someRequest(name), headers: { 'content-encoding': encoding } }), 'unsupported_encoding');
  const plain = await node.app.inject({ ...someRequest(name), headers: { 'content-encoding': ' Identity ' } });
  expect(plain.statusCode).not.toBe(415);
});

test.each(['GET', 'DELETE'] as const)('a %s request with a body that its signature does not cover is refused', async (method) => {
  node = await openTestNode();
  const token = await node.giveToken(EVERYTHING);
  const path = method === 'GET' ? pathOf(await quote(node)) : await tokenPath(node, token);
  const request = node.signed({ method, path, token });
  const spoilt = await node.app.inject({ ...request, payload: '{}' });
  expect([spoilt.statusCode, spoilt.json().error.description]).toEqual([
    401,
    expect.stringContaining('a required component is not covered'),
  ]);
  expect(Math.floor((await node.app.inject(request)).statusCode / 100)).toBe(2);
});

/** The management URL of a token. */
async function tokenPath({ database }: TestNode, token: string): Promise<string> {
  const [row] = await database.read
    .select()
    .from(accessTokens)
    .where(eq(accessTokens.tokenHash, hashSecret(token)));
  return `/auth/token/${row?.id}`;
}

test('malformed HTTP is refused at every endpoint', async () => {
  node = await openTestNode({ timeouts: { headers: 300, request: 600, check: 50 } });
  const port = await portOf(node);
  const spoilt: Record<string, (line: string) => string> = {
    malformed_http: (line) => `${line}\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    headers_too_large: (line) => `${line}\r\nhost: x\r\na: ${'b'.repeat(17_000)}\r\n\r\n`,
    timed_out: (line) => `${line}\r\nhost: x\r\na: `,
  };
  for (const [condition, spoil] of Object.entries(spoilt)) {
    const answers = await Promise.all(NAMES.map((name) => rawAnswer(port, spoil(`${someRequest(name).method} ${someUrl(name)} HTTP/1.1`))));
    for (const answer of answers) expectRefusal(answer, condition as Condition);
  }
});

test.each([
  ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ['two Hosts', 'GET /healthz HTTP/1.1\r\nhost: pay.example\r\nHost: pay.example\r\n\r\n'],
  ['two Hosts in HTTP/1.0', 'GET /healthz HTTP/1.0\r\nhost: a\r\nhost: b\r\n\r\n'],
  ['two lengths', 'POST /auth HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na'],
  ['a length that is none', 'POST /auth HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
  ['a coding that is none', 'POST /auth HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, gzip\r\n\r\n'],
  ['a folded header', 'GET /healthz HTTP/1.1\r\nhost: x\r\n a: b\r\n\r\n'],
  ['a space before a colon', 'GET /healthz HTTP/1.1\r\nhost : x\r\n\r\n'],
  ['a bare line feed in a chunk', 'POST /auth HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n'],
  ['CONNECT', 'CONNECT pay.example:443 HTTP/1.1\r\nhost: pay.example:443\r\n\r\n'],
  ['no HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
])('%s is refused as malformed', async (_, text) => {
  node = await openTestNode();
  expectRefusal(await rawAnswer(await portOf(node), text), 'malformed_http');
});

test.each([
  ['an expectation that nobody knows', 'GET /nobody HTTP/1.1\r\nhost: x\r\nexpect: magic\r\n\r\n'],
  ['an upgrade', 'GET /nobody HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
  ['HTTP/1.0', 'GET /nobody HTTP/1.0\r\n\r\n'],
  ['the absolute form', 'GET http://evil.example/nobody HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['the asterisk form', 'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n'],
])('%s is answered as any other request', async (_, text) => {
  node = await openTestNode();
  expectRefusal(await rawAnswer(await portOf(node), text), 'not_found');
});

test('a body without a stated length is refused as soon as it is too long', async () => {
  node = await openTestNode();
  const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`;
  const head = 'POST /auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
  expectRefusal(await rawAnswer(await portOf(node), head + chunk.repeat(5)), 'payload_too_large');
});

describe('a client that', () => {
  const OWN = [
    { type: 'incoming-payment' as const, actions: ['create', 'complete', 'read', 'list'] as ('create' | 'complete' | 'read' | 'list')[] },
    {
      type: 'outgoing-payment' as const,
      actions: ['create', 'read', 'list'] as ('create' | 'read' | 'list')[],
      identifier: EVERYTHING[1]?.identifier ?? '',
    },
    { type: 'quote' as const, actions: ['create', 'read'] as ('create' | 'read')[] },
  ];

  test.each<[string, (its: string) => { method: 'GET' | 'POST'; path: string }, (node: TestNode) => Promise<string>]>([
    ['reads an incoming payment', (path) => ({ method: 'GET', path }), (at) => incomingPayment(at, undefined, at.other)],
    [
      'completes an incoming payment',
      (path) => ({ method: 'POST', path: `${path}/complete` }),
      (at) => incomingPayment(at, undefined, at.other),
    ],
    ['reads a quote', (path) => ({ method: 'GET', path }), (at) => quote(at, at.other)],
    ['reads an outgoing payment', (path) => ({ method: 'GET', path }), (at) => outgoingPayment(at, at.other)],
  ])('%s of another client is told that it does not exist', async (_, callOf, make) => {
    node = await openTestNode();
    const token = await node.giveToken(OWN);
    const foreign = pathOf(await make(node));
    const absent = foreign.replace(/[\da-f-]{36}$/, ID);
    const malformed = foreign.replace(/[\da-f-]{36}$/, 'x');
    const answers = [];
    for (const path of [foreign, absent, malformed]) {
      const { status, headers, body } = await node.call({ ...callOf(path), token });
      const { 'x-request-id': requestId, date, ...rest } = headers;
      expect([requestId, date].every((value) => typeof value === 'string')).toBe(true);
      answers.push({ status, headers: rest, body });
    }
    expect(answers[0]?.status).toBe(404);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });
});
