import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from '../../../src-shared/zod.ts';
import { DatabaseStopped } from '../../platform/database/database.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { ApiProblem, PROBLEMS } from './problems.ts';
import { createPublicServer, type PublicServer } from './server.ts';

const SECRET = 'T0PSECRET';
let lines: string[];
let app: PublicServer;
beforeEach(() => {
  lines = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  app = createPublicServer({ urls: new PublicUrls('https://pay.example'), log: createLogger('trace', sink) });
  const Body = z.object({ name: z.string(), list: z.array(z.int()).optional() });
  app.post('/things', { schema: { body: Body, response: { 201: z.object({ name: z.string() }) } } }, (request, reply) => {
    reply.status(201);
    return { ...request.body, extra: SECRET };
  });
  app.post('/things/:id/act', { schema: { params: z.object({ id: z.uuid() }) } }, (request) => ({ body: request.body ?? 'none' }));
  app.get(
    '/list',
    { schema: { querystring: z.object({ first: z.coerce.number().int().max(100).optional() }) } },
    (request) => request.query,
  );
  app.get('/fails/:how', (request) => {
    const { how } = z.object({ how: z.string() }).parse(request.params);
    if (how === 'stopped') throw new DatabaseStopped(SECRET);
    if (how === 'problem') throw new ApiProblem('invalid_token', { details: { a: 1 } });
    throw Object.assign(new Error(`select ${SECRET} from x`), { code: 'SQLITE_BUSY', cause: new TypeError(SECRET) });
  });
});
afterEach(() => app.close());

const json = (payload: string, type = 'application/json') => ({
  method: 'POST' as const,
  url: '/things',
  headers: { 'content-type': type },
  payload,
});

describe('bodies', () => {
  test('are checked, and answers match their schema exactly', async () => {
    const made = await app.inject(json('{"name":"a","unknown":1}'));
    expect([made.statusCode, made.body]).toEqual([201, '{"name":"a"}']);
    expect((await app.inject(json('{"name":"a"}', 'application/json; charset=utf-8'))).statusCode).toBe(201);
  });

  test('count as absent when they are empty, even with a content type', async () => {
    const id = '99999999-9999-4999-8999-999999999999';
    const empty = { method: 'POST' as const, url: `/things/${id}/act`, headers: { 'content-type': 'application/json' } };
    expect((await app.inject(empty)).json()).toEqual({ body: 'none' });
    expect((await app.inject({ ...empty, headers: { ...empty.headers, 'content-length': '0' } })).json()).toEqual({ body: 'none' });
  });

  test.each([
    ['{"name":1}', 'application/json', 400, 'invalid_request'],
    ['{"name":"a","name":"b"}', 'application/json', 400, 'invalid_request'],
    ['{', 'application/json', 400, 'invalid_request'],
    ['', 'application/json', 400, 'invalid_request'],
    ['{"name":"a"}', 'text/plain', 415, 'unsupported_media_type'],
    ['{"name":"a"}', 'application/json-patch', 415, 'unsupported_media_type'],
    ['{"name":"a"}', 'nonsense', 415, 'unsupported_media_type'],
    ['name=a', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    [`{"name":"${'a'.repeat(65_536)}"}`, 'application/json', 413, 'payload_too_large'],
  ])('%.30s as %s are refused with %d', async (payload, type, status, code) => {
    const answer = await app.inject(json(payload, type));
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
  });

  test('are refused without a content type', async () => {
    const answer = await app.inject({ method: 'POST', url: '/things', payload: Buffer.from('{"name":"a"}') });
    expect(answer.statusCode).toBe(415);
  });
});

describe('a URL or method that does not exist', () => {
  test.each([
    ['GET', '/nothing'],
    ['GET', '/things'],
    ['DELETE', '/things'],
    ['POST', '/things/not-an-id/act'],
    ['GET', '/%E0%A4%A'],
    ['GET', `/fails/${'x'.repeat(200)}`],
    ['OPTIONS', '/things'],
    ['QUERY', '/things'],
    ['TRACE', '/things'],
  ] as const)('is answered with not found: %s %.40s', async (method, url) => {
    const answer = await app.inject({ method, url });
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: { code: 'not_found', description: 'Not Found' } }]);
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });
});

describe('a fault inside', () => {
  test.each([
    ['badly', 500, 'internal_error'],
    ['stopped', 503, 'unavailable'],
  ])('that ends %s is answered with an id, no secret and no stack, and the log has the id and the place', async (how, status, code) => {
    const answer = await app.inject(`/fails/${how}`);
    const requestId = String(answer.headers['x-request-id']);
    expect([answer.statusCode, answer.json().error.code, answer.json().error.details]).toEqual([status, code, { requestId }]);
    const log = lines.join('');
    expect(log).toContain(requestId);
    expect(log).toContain('server.test.ts');
    expect(answer.body + log).not.toContain(SECRET);
    expect(answer.body).not.toMatch(/select|SQLITE|\.ts|\\n/);
  });

  test('is told apart from a known problem, which is answered with its row of the table', async () => {
    const answer = await app.inject('/fails/problem');
    expect([answer.statusCode, answer.json()]).toEqual([
      401,
      { error: { code: 'invalid_token', description: 'Invalid Token', details: { a: 1 } } },
    ]);
    expect(answer.headers['www-authenticate']).toBe('GNAP as_uri=https://pay.example/auth');
  });
});

test('the log names routes, never URLs', async () => {
  await app.inject(`/list?first=1&token=${SECRET}`);
  await app.inject(`/fails/${SECRET}`);
  await app.inject({ url: `/nothing/${SECRET}`, headers: { authorization: `GNAP ${SECRET}` } });
  expect(lines.join('')).not.toContain(SECRET);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ method: 'GET', route: '/list', status: 200, requestId: expect.any(String) });
});

test('queries are checked against their schema', async () => {
  expect((await app.inject('/list?first=5')).json()).toEqual({ first: 5 });
  for (const query of ['first=101', 'first=x', 'first=1&first=2']) expect((await app.inject(`/list?${query}`)).statusCode).toBe(400);
});

test('any origin may call, without credentials', async () => {
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/things',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
  });
  expect(preflight.headers['access-control-allow-headers']).toContain('authorization');
  expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
  for (const answer of [await app.inject('/list'), await app.inject('/nothing'), await app.inject('/fails/badly')]) {
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  }
});

test('no answer may be cached unless a route allows it', async () => {
  app.get('/known', (_request, reply) => reply.header('cache-control', 'public, max-age=60').send({}));
  for (const url of ['/list', '/nothing', '/fails/badly', '/%E0%A4%A']) {
    expect((await app.inject(url)).headers['cache-control']).toBe('no-store');
  }
  expect((await app.inject(json('{"name":"a"}'))).headers['cache-control']).toBe('no-store');
  expect((await app.inject('/known')).headers['cache-control']).toBe('public, max-age=60');
});

describe('the server', () => {
  async function send(text: string): Promise<string> {
    if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
    const address = app.server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    const socket = connect(address.port, '127.0.0.1');
    socket.end(text);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  test('refuses headers of more than 16 KiB, and bytes that are no HTTP', async () => {
    const large = await send(`GET /list HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(17_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 [\s\S]*"headers_too_large"/);
    expect(await send('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*x-request-id[\s\S]*"invalid_request"/);
    const both = 'POST /things HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(await send(both)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

test('every row of the table has a status, a code and words', () => {
  for (const { status, code, words } of Object.values(PROBLEMS)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(words.length).toBeGreaterThan(5);
  }
});

describe('more connections than are allowed', () => {
  const isClosed = (socket: Socket) =>
    new Promise<boolean>((resolve) => {
      socket.once('close', () => resolve(true));
      socket.once('data', () => resolve(false));
      socket.once('error', () => undefined);
      socket.write('GET /list HTTP/1.1\r\nhost: x\r\n\r\n');
    });

  test.each([
    ['in all', { total: 3, perAddress: 10 }],
    ['from one address', { total: 10, perAddress: 3 }],
  ])('%s are closed, and there is room again when others leave', async (_, caps) => {
    const capped = createPublicServer({ urls: new PublicUrls('https://pay.example'), log: createLogger('silent'), caps });
    capped.get('/list', () => ({}));
    try {
      const port = Number(new URL(await capped.listen({ host: '127.0.0.1', port: 0 })).port);
      const sockets: Socket[] = [];
      const open = async () => {
        const socket = connect(port, '127.0.0.1');
        sockets.push(socket);
        return await isClosed(socket);
      };
      for (const closed of [false, false, false, true, true]) expect(await open()).toBe(closed);
      for (const socket of sockets.slice(0, 2)) socket.destroy();
      await expect.poll(() => new Promise((resolve) => capped.server.getConnections((_error, count) => resolve(count)))).toBe(1);
      for (const closed of [false, false, true]) expect(await open()).toBe(closed);
      for (const socket of sockets) socket.destroy();
    } finally {
      await capped.close();
    }
  });

  test('are let in from a declared proxy, whose address has no cap of its own', async () => {
    const capped = createPublicServer({
      urls: new PublicUrls('https://pay.example'),
      log: createLogger('silent'),
      caps: { total: 10, perAddress: 1 },
      trustedProxies: ['127.0.0.1'],
    });
    capped.get('/list', () => ({}));
    try {
      const port = Number(new URL(await capped.listen({ host: '127.0.0.1', port: 0 })).port);
      const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
      for (const socket of sockets) expect(await isClosed(socket)).toBe(false);
      for (const socket of sockets) socket.destroy();
    } finally {
      await capped.close();
    }
  });
});

test('browsers that came over TLS are told to come so for a year, and others are not', async () => {
  const behind = createPublicServer({
    urls: new PublicUrls('https://pay.example'),
    log: createLogger('silent'),
    trustedProxies: ['127.0.0.1'],
  });
  behind.get('/here', () => ({}));
  const over = async (proto: string) =>
    (await behind.inject({ url: '/here', headers: { 'x-forwarded-proto': proto } })).headers['strict-transport-security'];
  expect([await over('https'), await over('http')]).toEqual(['max-age=31536000', undefined]);
  expect(
    (await app.inject({ url: '/list', headers: { 'x-forwarded-proto': 'https' } })).headers['strict-transport-security'],
  ).toBeUndefined();
  await behind.close();
});
