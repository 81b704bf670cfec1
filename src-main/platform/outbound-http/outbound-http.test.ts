import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../clock.ts';
import { ClockWitnesses } from '../clock-witnesses.ts';
import type { LookUp } from './names.ts';
import { createOutboundHttp, GuardedHttp, type OutboundHttp } from './outbound-http.ts';
import { POOL_LIMITS } from './pools.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };
const opened: { close(): unknown }[] = [];
afterEach(() => {
  for (const thing of opened.splice(0)) thing.close();
});

interface LocalServer {
  url: string;
  port: number;
  connections: number;
  requests: IncomingMessage[];
}

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<LocalServer> {
  const server: Server = createServer((request, response) => {
    local.requests.push(request);
    handler(request, response);
  });
  const local: LocalServer = { url: '', port: 0, connections: 0, requests: [] };
  server.on('connection', () => {
    local.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  const address = server.address();
  if (address !== null && typeof address === 'object') local.port = address.port;
  local.url = `http://127.0.0.1:${local.port}/x`;
  return local;
}

const answering = (status: number, headers: Record<string, string>, body: string | Buffer = '') =>
  serve((_, response) => response.writeHead(status, headers).end(body));

function keep<T extends OutboundHttp>(http: T): T {
  opened.push(http);
  return http;
}

const development = (): OutboundHttp => keep(createOutboundHttp({ development: true }));

const withTimeout = (timeoutMs: number): OutboundHttp =>
  keep(new GuardedHttp({ schemes: ['http:'], mayConnect: () => true, lookUp: async () => [], timeoutMs }));

describe('a request to another computer', () => {
  it.each([
    ['', 'invalid_url'],
    ['wallet.example', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://user@wallet.example/', 'invalid_url'],
    ['https://:secret@wallet.example/', 'invalid_url'],
    ['https://1.2.3.4.5/', 'invalid_url'],
    ['https://[fe80::1%25eth0]/', 'invalid_url'],
    ['http://wallet.example/', 'scheme_not_allowed'],
    ['http://8.8.8.8/', 'scheme_not_allowed'],
    ['file:///etc/hosts', 'scheme_not_allowed'],
    ['ftp://wallet.example/', 'scheme_not_allowed'],
    ['data:application/json,{}', 'scheme_not_allowed'],
    ['ws://wallet.example/', 'scheme_not_allowed'],
  ] as const)('to "%s" is refused as %s', async (url, problem) => {
    expect(await keep(createOutboundHttp({ development: false })).getJson(url)).toEqual({ ok: false, error: problem });
  });

  it('may go to this computer over http in development, and to no other private address', async () => {
    const server = await answering(200, JSON_HEADERS, '{}');
    expect(await development().getJson(server.url)).toMatchObject({ ok: true });
    expect(await development().getJson('http://192.168.0.1/')).toEqual({ ok: false, error: 'address_not_allowed' });
    expect(await keep(createOutboundHttp({ development: false })).getJson(server.url.replace('http:', 'https:'))).toEqual({
      ok: false,
      error: 'address_not_allowed',
    });
    expect(server.connections).toBe(1);
  });

  it('carries the method, headers and body as given, and asks for no compression', async () => {
    const received: string[] = [];
    const server = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => received.push(chunk.toString()));
      request.on('end', () => response.writeHead(201, JSON_HEADERS).end('{"made":true}'));
    });
    const body = '{"a":"ü"}';
    const outcome = await development().requestJson('POST', server.url, { headers: { ...JSON_HEADERS, signature: 'sig1=:AA==:' }, body });
    expect(outcome).toEqual({ ok: true, value: { status: 201, body: { made: true }, url: server.url } });
    expect(received.join('')).toBe(body);
    expect(server.requests[0]?.method).toBe('POST');
    expect(server.requests[0]?.headers).toMatchObject({ signature: 'sig1=:AA==:', 'content-length': '10', 'accept-encoding': 'identity' });
  });
});

describe('a connection', () => {
  const rebinding = (...answers: string[]): { lookUp: LookUp; asked: () => number } => {
    let asked = 0;
    const lookUp: LookUp = async () => {
      const address = answers[Math.min(asked, answers.length - 1)] ?? '';
      asked += 1;
      return [{ address, family: 4 }];
    };
    return { lookUp, asked: () => asked };
  };

  it('goes to the address that was checked, without a second look-up that could answer otherwise', async () => {
    const server = await serve((_, response) => response.writeHead(200, { ...JSON_HEADERS, connection: 'close' }).end('{}'));
    const name = rebinding('127.0.0.1', '10.0.0.1');
    const http = keep(createOutboundHttp({ development: true, lookUp: name.lookUp }));
    const url = `http://rebind.example:${server.port}/jwks.json`;
    expect(await http.getJson(url)).toMatchObject({ ok: true, value: { url } });
    expect(name.asked()).toBe(1);
    expect(server.requests[0]?.headers.host).toBe(`rebind.example:${server.port}`);
    expect(await http.getJson(url)).toEqual({ ok: false, error: 'address_not_allowed' });
    expect(name.asked()).toBe(2);
    expect(server.connections).toBe(1);
  });

  it('never goes to this computer when the address of a name changes from a public one to loopback', async () => {
    const server = await answering(200, JSON_HEADERS, '{}');
    const seen: string[] = [];
    const name = rebinding('8.8.8.8', '127.0.0.1');
    const http = keep(
      new GuardedHttp({
        schemes: ['http:'],
        // This rule replaces the real ones, so that no connection leaves this computer: it records and refuses each
        // address.
        mayConnect: (address) => {
          seen.push(address);
          return false;
        },
        lookUp: name.lookUp,
        timeoutMs: 5_000,
      }),
    );
    for (let i = 0; i < 3; i++) await http.getJson(`http://rebind.example:${server.port}/`);
    expect(seen).toEqual(['8.8.8.8', '127.0.0.1', '127.0.0.1']);
    const strict = keep(createOutboundHttp({ development: false, lookUp: rebinding('127.0.0.1').lookUp }));
    expect(await strict.getJson(`https://rebind.example:${server.port}/`)).toEqual({ ok: false, error: 'address_not_allowed' });
    expect(server.connections).toBe(0);
  });

  it('is kept for the next GET, and never used for a POST', async () => {
    const server = await answering(200, JSON_HEADERS, '{}');
    const http = development();
    for (let i = 0; i < 3; i++) expect(await http.getJson(server.url)).toMatchObject({ ok: true });
    expect(server.connections).toBe(1);
    for (let i = 0; i < 3; i++) expect(await http.requestJson('POST', server.url, { body: '{}' })).toMatchObject({ ok: true });
    expect(server.connections).toBe(4);
  });

  it('is made anew when a kept one turns out to be closed', async () => {
    const server = await serve((request, response) => {
      if (server.requests.length === 2) request.socket.resetAndDestroy();
      else response.writeHead(200, JSON_HEADERS).end('{}');
    });
    const http = development();
    expect(await http.getJson(server.url)).toMatchObject({ ok: true });
    expect(await http.getJson(server.url)).toMatchObject({ ok: true });
    expect(server.requests.length).toBe(3);
    expect(server.connections).toBe(2);
  });
});

describe('an answer', () => {
  it.each([
    [200, JSON_HEADERS, '{"keys":[]}', { status: 200, body: { keys: [] } }],
    [200, { 'content-type': 'Application/JWK-Set+JSON; charset=utf-8' }, '[1]', { status: 200, body: [1] }],
    [204, {}, '', { status: 204, body: undefined }],
    [404, { 'content-type': 'text/html' }, '<h1>none</h1>', { status: 404, body: undefined }],
    [400, JSON_HEADERS, '{"error":{"code":"x"}}', { status: 400, body: { error: { code: 'x' } } }],
    [503, JSON_HEADERS, 'not json', { status: 503, body: undefined }],
  ] as const)('of %d with the headers %o and the body %s is returned', async (status, headers, body, expected) => {
    const server = await answering(status, headers, body);
    expect(await development().getJson(server.url)).toEqual({ ok: true, value: { ...expected, url: server.url } });
  });

  it.each([
    [200, { 'content-type': 'text/html' }, '{}'],
    [200, {}, '{}'],
    [200, JSON_HEADERS, '{'],
    [200, JSON_HEADERS, Buffer.from([0x22, 0xff, 0x22])],
    [200, { ...JSON_HEADERS, 'content-encoding': 'gzip' }, Buffer.from([0x1f, 0x8b, 0])],
  ] as const)('of %d with the headers %o is refused when it holds no JSON', async (status, headers, body) => {
    const server = await answering(status, headers, body);
    expect(await development().getJson(server.url)).toEqual({ ok: false, error: 'not_json' });
  });

  it.each([301, 302, 303, 304, 307, 308])('of %d is refused, and the redirect is not followed', async (status) => {
    const target = await answering(200, JSON_HEADERS, '{}');
    const server = await answering(status, { location: target.url });
    expect(await development().getJson(server.url)).toEqual({ ok: false, error: 'redirected' });
    expect(target.connections).toBe(0);
  });

  it('is refused above 64 KiB, whether its length was announced or not', async () => {
    const json = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;
    const chunked = (bytes: number) =>
      serve((_, response) => {
        response.writeHead(200, { ...JSON_HEADERS, 'transfer-encoding': 'chunked' });
        response.end(json(bytes));
      });
    const announced = (bytes: number) => answering(200, { ...JSON_HEADERS, 'content-length': String(bytes) }, json(bytes));
    for (const server of [await announced(65_536), await chunked(65_536)]) {
      expect(await development().getJson(server.url)).toMatchObject({ ok: true });
    }
    for (const server of [await announced(65_537), await chunked(65_537), await chunked(5_000_000)]) {
      expect(await development().getJson(server.url)).toEqual({ ok: false, error: 'too_large' });
    }
  });

  it('is refused when its headers are above 16 KiB', async () => {
    const server = await answering(200, { ...JSON_HEADERS, 'x-filler': 'x'.repeat(20_000) }, '{}');
    expect(await development().getJson(server.url)).toEqual({ ok: false, error: 'unreachable' });
  });

  it('is missing when the host is not there, or stops in the middle', async () => {
    const gone = await answering(200, JSON_HEADERS, '{}');
    for (const thing of opened.splice(0)) thing.close();
    expect(await development().getJson(gone.url)).toEqual({ ok: false, error: 'unreachable' });
    const broken = await serve((request, response) => {
      response.writeHead(200, { ...JSON_HEADERS, 'content-length': '100' }).write('{');
      setImmediate(() => request.socket.destroy());
    });
    expect(await development().getJson(broken.url)).toEqual({ ok: false, error: 'unreachable' });
  });

  it('is told apart when the name servers know no address of the host, and when it has no TLS', async () => {
    const notFound = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    const nameless = keep(createOutboundHttp({ development: false, lookUp: () => Promise.reject(notFound) }));
    expect(await nameless.getJson('https://wallet.example/')).toEqual({ ok: false, error: 'not_resolved' });
    const empty = keep(createOutboundHttp({ development: false, lookUp: async () => [] }));
    expect(await empty.getJson('https://wallet.example/')).toEqual({ ok: false, error: 'not_resolved' });
    const plain = await answering(200, JSON_HEADERS, '{}');
    expect(await development().getJson(plain.url.replace('http:', 'https:'))).toEqual({ ok: false, error: 'not_secure' });
  });
});

describe('the deadline of a whole request', () => {
  it('ends a request to a host that says nothing', async () => {
    const server = await serve(() => undefined);
    expect(await withTimeout(50).getJson(server.url)).toEqual({ ok: false, error: 'timed_out' });
  });

  it('ends a request whose answer comes one byte at a time', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, JSON_HEADERS).write('"');
      const drops = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(drops));
    });
    expect(await withTimeout(100).getJson(server.url)).toEqual({ ok: false, error: 'timed_out' });
  });

  it('ends a look-up that hangs', async () => {
    const lookUp = (): Promise<never> => new Promise(() => undefined);
    const http = keep(new GuardedHttp({ schemes: ['https:'], mayConnect: () => true, lookUp, timeoutMs: 50 }));
    expect(await http.getJson('https://wallet.example/')).toEqual({ ok: false, error: 'timed_out' });
  });

  it('ends a look-up together with its request', async () => {
    const ended = Promise.withResolvers<void>();
    const lookUp: LookUp = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended.resolve();
          reject(signal.reason);
        });
      });
    const http = keep(new GuardedHttp({ schemes: ['https:'], mayConnect: () => true, lookUp, timeoutMs: 5_000 }));
    const caller = new AbortController();
    const asked = http.getJson('https://wallet.example/', { signal: caller.signal });
    setImmediate(() => caller.abort());
    expect(await asked).toEqual({ ok: false, error: 'timed_out' });
    await ended.promise;
  });
});

describe('the places of a pool', () => {
  const onePlace = { ...POOL_LIMITS.strangers, atOnce: 1 };
  const narrow = (timeoutMs: number, waitMs: number): OutboundHttp =>
    keep(
      new GuardedHttp({
        schemes: ['http:'],
        mayConnect: () => true,
        lookUp: async () => [],
        timeoutMs,
        pools: { ...POOL_LIMITS, strangers: { ...onePlace, waitMs }, known: { ...onePlace, waitMs } },
      }),
    );

  it('are not taken by those of another pool', async () => {
    const silent = await serve(() => undefined);
    const honest = await answering(200, JSON_HEADERS, '{}');
    const http = keep(createOutboundHttp({ development: true }));
    const caller = new AbortController();
    const waiting = Array.from({ length: 1_000 }, (_, i) => http.getJson(`${silent.url}/${i}`, { caller: `${i}`, signal: caller.signal }));
    for (const pool of ['known', 'receivers', 'checkout', 'money'] as const) {
      expect(await http.getJson(honest.url, { pool })).toMatchObject({ ok: true });
    }
    caller.abort();
    await Promise.all(waiting);
  });

  it('are given back when the time of a request is up, and then go to who has waited', async () => {
    const silent = await serve(() => undefined);
    const honest = await answering(200, JSON_HEADERS, '{}');
    const http = narrow(60_000, 50_000);
    const caller = new AbortController();
    const held = http.getJson(silent.url, { signal: caller.signal });
    const waiting = http.getJson(honest.url);
    caller.abort();
    expect(await held).toEqual({ ok: false, error: 'timed_out' });
    expect(await waiting).toMatchObject({ ok: true });
  });

  it('are waited for so long; who got none has asked nobody', async () => {
    const silent = await serve(() => undefined);
    const honest = await answering(200, JSON_HEADERS, '{}');
    const http = narrow(60_000, 20);
    const caller = new AbortController();
    const held = http.getJson(silent.url, { signal: caller.signal });
    expect(await http.getJson(honest.url)).toEqual({ ok: false, error: 'busy' });
    expect(honest.connections).toBe(0);
    expect(await http.getJson(honest.url, { pool: 'known' })).toMatchObject({ ok: true });
    caller.abort();
    await held;
  });
});

describe('the clocks of others', () => {
  const TWO_HOURS = 7_200_000;
  const late = async (headers: Record<string, string> = {}) =>
    await answering(200, { ...JSON_HEADERS, date: new Date(START - TWO_HOURS).toUTCString(), ...headers }, '{}');
  const START = Date.UTC(2026, 0, 1);
  const opened = () => {
    const witnesses = new ClockWitnesses(new ManualClock(START));
    return { witnesses, http: keep(createOutboundHttp({ development: true, witnesses })) };
  };

  it('are heard in the answers of peers, and of wallets that get money', async () => {
    const { witnesses, http } = opened();
    await http.postBytes((await late()).url, { headers: {}, body: Buffer.alloc(0), timeoutMs: 5_000 });
    await http.getJson((await late()).url, { pool: 'money' });
    expect(witnesses.difference()).toEqual({ ahead: TWO_HOURS - 1_000, parties: 2 });
  });

  it('are not heard where strangers choose who is asked, nor from caches', async () => {
    const { witnesses, http } = opened();
    for (const pool of ['strangers', 'known', 'receivers', 'checkout'] as const) await http.getJson((await late()).url, { pool });
    for (let i = 0; i < 2; i++) await http.getJson((await late({ age: '7200' })).url, { pool: 'money' });
    expect(witnesses.difference()).toBeUndefined();
  });
});
