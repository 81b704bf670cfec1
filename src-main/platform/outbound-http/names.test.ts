import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../clock.ts';
import { HostNames } from './names.ts';
import { createOutboundHttp } from './outbound-http.ts';
import { FakeNameServer } from './testing/name-server.ts';

const NEVER = new AbortController().signal;
let server: FakeNameServer;
let folder: string;
let hostsFile: string;
let clock: ManualClock;
let names: HostNames;
beforeEach(async () => {
  server = new FakeNameServer();
  folder = mkdtempSync(join(tmpdir(), 'paydesk-names-'));
  hostsFile = join(folder, 'hosts');
  clock = new ManualClock(0);
  names = new HostNames({ clock, servers: [await server.open()], hostsFile });
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const four = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }));

describe('a name', () => {
  it('is asked for at the name servers, in both families', async () => {
    server.names.set('wallet.example', ['192.0.2.1', '192.0.2.2']);
    expect(await names.lookUp('Wallet.example.', NEVER)).toEqual(four('192.0.2.1', '192.0.2.2'));
    expect(server.asked.sort()).toEqual(['A wallet.example', 'AAAA wallet.example']);
  });

  it('in the hosts file is not asked for', async () => {
    writeFileSync(
      hostsFile,
      '# comment\n127.0.0.1 localhost\n192.0.2.7\tOther wallet.example # mine\n2001:db8::7 wallet.example\nnonsense wallet.example\n',
    );
    expect(await names.lookUp('wallet.example', NEVER)).toEqual([...four('192.0.2.7'), { address: '2001:db8::7', family: 6 }]);
    expect(server.asked).toEqual([]);
  });

  it.each(['localhost', 'till.localhost'])('%s is this computer', async (name) => {
    expect(await names.lookUp(name, NEVER)).toEqual([...four('127.0.0.1'), { address: '::1', family: 6 }]);
    expect(server.asked).toEqual([]);
  });

  it('that does not exist is refused, and asked for again the next time', async () => {
    await expect(names.lookUp('nowhere.example', NEVER)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    server.names.set('nowhere.example', ['192.0.2.1']);
    expect(await names.lookUp('nowhere.example', NEVER)).toEqual(four('192.0.2.1'));
  });

  it('wanted by many at the same time is asked for once', async () => {
    server.names.set('wallet.example', ['192.0.2.1']);
    await Promise.all(Array.from({ length: 100 }, () => names.lookUp('wallet.example', NEVER)));
    expect(server.asked).toHaveLength(2);
  });

  it.each([
    [30, 30_000],
    [0, 1_000],
    [86_400, 60_000],
  ])('with a time to live of %i s is kept for %i ms', async (ttlSeconds, keptMs) => {
    server.names.set('wallet.example', ['192.0.2.1']);
    server.ttlSeconds = ttlSeconds;
    await names.lookUp('wallet.example', NEVER);
    clock.advance(keptMs - 1);
    await names.lookUp('wallet.example', NEVER);
    expect(server.asked).toHaveLength(2);
    clock.advance(1);
    await names.lookUp('wallet.example', NEVER);
    expect(server.asked).toHaveLength(4);
  });
});

describe('a silent name server', () => {
  beforeEach(() => {
    for (let i = 0; i < 200; i++) server.names.set(`silent-${i}.example`, 'silence');
    server.names.set('wallet.example', ['192.0.2.1']);
  });

  it('is given up, which says nothing of the host', async () => {
    const http = createOutboundHttp({ development: false, lookUp: names.lookUp });
    expect(await http.getJson('https://silent-0.example/')).toEqual({ ok: false, error: 'timed_out' });
    http.close();
  });

  it('keeps no other name waiting', async () => {
    const leaving = new AbortController();
    const silent = Array.from({ length: 200 }, (_, i) => names.lookUp(`silent-${i}.example`, leaving.signal));
    const ended = Promise.allSettled(silent);
    await server.heard(200);
    expect(await names.lookUp('wallet.example', NEVER)).toEqual(four('192.0.2.1'));
    leaving.abort();
    for (const { status } of await ended) expect(status).toBe('rejected');
  });

  it('is asked no longer when the last who wanted the name has gone', async () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const first = names.lookUp('silent-0.example', one.signal).catch(() => 'gone');
    const second = names.lookUp('silent-0.example', two.signal).catch(() => 'gone');
    await server.heard(2);
    one.abort();
    expect(await first).toBe('gone');
    server.names.set('silent-0.example', ['192.0.2.9']);
    two.abort();
    expect(await second).toBe('gone');
    // A new look-up was begun: nobody waits for the one that was ended.
    expect(await names.lookUp('silent-0.example', NEVER)).toEqual(four('192.0.2.9'));
  });

  it('leaves the requests of other wallets alone', async () => {
    const wallet = createServer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    await new Promise<void>((resolve) => wallet.listen(0, '127.0.0.1', resolve));
    const address = wallet.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    server.names.set('wallet.example', ['127.0.0.1']);
    const http = createOutboundHttp({ development: true, lookUp: names.lookUp });
    const stop = new AbortController();
    const silent = Array.from({ length: 100 }, (_, i) =>
      http.getJson(`http://silent-${i}.example/`, { signal: stop.signal, caller: `${i}` }),
    );
    await server.heard(8);
    expect(await http.getJson(`http://wallet.example:${port}/`, { pool: 'known' })).toMatchObject({ ok: true });
    stop.abort();
    await Promise.all(silent);
    http.close();
    wallet.close();
  });
});
