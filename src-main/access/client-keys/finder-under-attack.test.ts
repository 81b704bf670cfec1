import { createServer as createHttpServer } from 'node:http';
import { createServer as createSilentServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import { HostNames } from '../../platform/outbound-http/names.ts';
import { createOutboundHttp, type GuardedHttp } from '../../platform/outbound-http/outbound-http.ts';
import { FakeNameServer } from '../../platform/outbound-http/testing/name-server.ts';
import { testKey } from '../http-signatures/testing/signed-requests.ts';
import { type Client, ClientKeyFinder } from './finder.ts';
import { FRESH_MS } from './remote-keys.ts';

const key = await testKey('till', 7);
const STRANGERS = 400;

let names: FakeNameServer;
let wallet: Server;
let silent: Server;
let http: GuardedHttp;
let clock: ManualClock;
let finder: ClientKeyFinder;
/** What the honest wallet says its keys are. */
let keys: unknown[];
let connected: Set<Socket>;
const attacks: Promise<unknown>[] = [];

beforeEach(async () => {
  names = new FakeNameServer();
  const servers = [await names.open()];
  keys = [key.jwk];
  wallet = createHttpServer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys })));
  connected = new Set();
  silent = createSilentServer((socket) => connected.add(socket));
  for (const server of [wallet, silent]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  names.names.set('wallet.example', ['127.0.0.1']);
  clock = new ManualClock(1_700_000_000_000);
  http = createOutboundHttp({ development: true, lookUp: new HostNames({ clock, servers, hostsFile: 'none' }).lookUp });
  finder = new ClientKeyFinder({ ownKeys: { find: async () => 'not-own' }, http, clock });
});
afterEach(async () => {
  await Promise.all(attacks.splice(0));
  for (const socket of connected) socket.destroy();
  http.close();
  names.close();
  wallet.close();
  silent.close();
});

const portOf = (server: Server): number => {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
};
const clientAt = (walletAddress: string): Client => ({ kind: 'wallet-address', id: walletAddress, walletAddress });
const find = async (url: string, from: string): Promise<string> => {
  const found = await finder.find(clientAt(url), 'till', from);
  return found.ok ? 'found' : found.error;
};
const attack = (url: string, from: string): void => void attacks.push(find(url, from));

/** Strangers name hosts that never answer, each from a network of its own or from the one that is given. */
const ATTACKS: [string, (i: number, from?: string) => void][] = [
  [
    'silent hosts',
    (i, from = `198.51.${i >> 8}.${i & 255}`) => {
      names.names.set(`silent-${i}.example`, ['127.0.0.1']);
      attack(`http://silent-${i}.example:${portOf(silent)}/`, from);
    },
  ],
  [
    'silent name servers',
    (i, from = `198.51.${i >> 8}.${i & 255}`) => {
      names.names.set(`silent-${i}.example`, 'silence');
      attack(`http://silent-${i}.example/`, from);
    },
  ],
];

describe.each(ATTACKS)('while hundreds of strangers name %s', (_, one) => {
  it('a revoked key is dead after five minutes, and a new client is heard', async () => {
    const honest = `http://wallet.example:${portOf(wallet)}/till`;
    const newcomer = `http://wallet.example:${portOf(wallet)}/other`;
    expect(await find(honest, '192.0.2.1')).toBe('found');
    for (let i = 0; i < STRANGERS; i++) one(i);
    // Hundreds of networks that come at once are as new as this client is, so it may have to try again.
    await expect.poll(() => find(newcomer, '192.0.2.2'), { timeout: 60_000 }).toBe('found');
    keys = [];
    clock.advance(FRESH_MS);
    expect(await find(honest, '192.0.2.1')).toBe('unknown_key');
  }, 90_000);

  it('one network alone never makes a new client wait for another try', async () => {
    for (let i = 0; i < STRANGERS; i++) one(i, '198.51.100.1');
    expect(await find(`http://wallet.example:${portOf(wallet)}/other`, '192.0.2.2')).toBe('found');
  });
});
