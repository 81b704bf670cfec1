import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { deserializeIlpPrepare, serializeIlpFulfill, serializeIlpPrepare, serializeIlpReject } from 'ilp-packet';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LINK_PROBLEMS } from '../../src-shared/link-problems.ts';
import { peerTestText } from '../../src-shared/words/peer-test.ts';
import { systemClock } from '../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { createOutboundHttp, type GuardedHttp } from '../platform/outbound-http/outbound-http.ts';
import { ILDCP_FULFILMENT, ildcpAnswer, readIldcpAnswer } from './ildcp.ts';
import { newPeer, openTestPeers } from './testing/peers.ts';

type Listener = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

let test: TestDatabase;
let http: GuardedHttp;
let peers: ReturnType<typeof openTestPeers>;
let server: Server;
let origin: string;
let answer: Listener;
let connections = 0;
const asked: { authorization: string | undefined; type: string | undefined; body: Buffer }[] = [];

beforeAll(async () => {
  test = openTestDatabase();
  http = createOutboundHttp({ development: true });
  peers = openTestPeers({ database: test.database, clock: systemClock, http });
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { authorization, 'content-type': type } = request.headers;
      asked.push({ authorization, type, body: Buffer.concat(chunks) });
      answer(request, response, Buffer.concat(chunks));
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
});
afterAll(async () => {
  http.close();
  server.closeAllConnections();
  server.close();
  await test.dispose();
});
afterEach(() => {
  asked.length = 0;
});

const peerAt = async (endpoint: string, changes: { deduplicates?: boolean } = {}): Promise<string> => {
  const id = randomUUID();
  const added = await peers.registry.add(newPeer({ id, endpoint, ilpAddress: `g.p-${id}`, ...changes }));
  if (!added.ok) throw new Error(added.error);
  return id;
};
const soon = () => new Date(Date.now() + 10_000);
const PREPARE = serializeIlpPrepare({
  amount: '1',
  destination: 'g.a.b',
  executionCondition: randomBytes(32),
  expiresAt: soon(),
  data: Buffer.from('x'),
});
const FULFILL = serializeIlpFulfill({ fulfillment: randomBytes(32), data: Buffer.alloc(0) });
const reject = (code: string) => serializeIlpReject({ code, triggeredBy: 'g.a', message: '', data: Buffer.alloc(0) });
const say =
  (status: number, body: Buffer | string, headers: Record<string, string> = {}): Listener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/** A refusal in the form in which every node of this kind refuses. */
const nodeSays = (code: string): string => JSON.stringify({ error: { code, description: 'Words.' } });

describe('handing a packet to a peer', () => {
  it('is one POST of its bytes with the token, on a connection that is kept', async () => {
    const peer = await peerAt(`${origin}/ilp`);
    answer = say(200, FULFILL);
    const before = connections;
    for (let i = 0; i < 5; i += 1) expect(await peers.links.send(peer, PREPARE, soon())).toEqual({ outcome: 'answered', reply: FULFILL });
    expect(connections - before).toBeLessThanOrEqual(1);
    expect(asked).toHaveLength(5);
    expect(asked[0]).toEqual({ authorization: 'Bearer the-token-it-wants', type: 'application/octet-stream', body: PREPARE });
    expect(peers.sightings.of(peer)).toMatchObject({ lastProblem: null, lastSeenAt: expect.any(Number) });
  });

  it.each<[string, Listener, 'lost' | 'not_sent']>([
    ['a wrong token', say(401, nodeSays('invalid_token')), 'not_sent'],
    ['too many guesses', say(429, nodeSays('too_many_requests')), 'not_sent'],
    ['a wrong path', say(404, nodeSays('not_found')), 'not_sent'],
    ['a refusal by something before the node', say(401, ''), 'lost'],
    ['words that belong to another status', say(403, nodeSays('invalid_token')), 'lost'],
    ['an error of a gateway', say(404, '{"error":{"code":"NotFound","message":"no backend"}}'), 'lost'],
    ['another kind of server', say(404, '<h1>nothing</h1>'), 'lost'],
    ['a redirect', say(307, '', { location: 'http://127.0.0.1:1/' }), 'lost'],
    ['an error inside', say(500, ''), 'lost'],
    ['a proxy without its server', say(502, ''), 'lost'],
    ['a request given up', say(408, ''), 'lost'],
    ['an empty answer', say(200, ''), 'lost'],
    ['another answer', say(200, '{"ok":true}'), 'lost'],
    ['an answer cut short', say(200, FULFILL.subarray(0, 20)), 'lost'],
    ['the packet itself', say(200, PREPARE), 'lost'],
    ['an endless answer', say(200, Buffer.alloc(70_000)), 'lost'],
    ['a connection that breaks', (request) => void request.socket.resetAndDestroy(), 'lost'],
    [
      'an answer that breaks off',
      (request, response) => {
        response.writeHead(200, { 'content-length': String(FULFILL.length) });
        response.write(FULFILL.subarray(0, 10), () => request.socket.destroy());
      },
      'lost',
    ],
  ])('has the right outcome after %s', async (_, listener, outcome) => {
    answer = listener;
    const peer = await peerAt(`${origin}/ilp`);
    const sent = await peers.links.send(peer, PREPARE, soon());
    expect(sent).toEqual({ outcome, why: expect.toBeOneOf(LINK_PROBLEMS) });
    expect(asked).toHaveLength(1);
    expect(peers.sightings.of(peer).lastProblem).toBe(sent.outcome === 'answered' ? '' : sent.why);
  });

  it.each<[string, Listener, 'lost' | 'not_sent']>([
    ['a wrong token', say(401, ''), 'not_sent'],
    ['another kind of server', say(404, '<h1>nothing</h1>'), 'not_sent'],
    ['a redirect', say(307, '', { location: 'http://127.0.0.1:1/' }), 'not_sent'],
    ['a request given up', say(408, ''), 'lost'],
    ['an error inside', say(500, ''), 'lost'],
  ])('has the right outcome after %s from a peer that takes repetitions for new packets', async (_, listener, outcome) => {
    answer = listener;
    const peer = await peerAt(`${origin}/ilp`, { deduplicates: false });
    expect(await peers.links.send(peer, PREPARE, soon())).toMatchObject({ outcome });
  });

  it('is known not to have happened when there is no connection', async () => {
    const closed = createTcpServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const address = closed.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    await new Promise((resolve) => closed.close(resolve));
    for (const endpoint of [`http://127.0.0.1:${port}/`, 'http://no-such-host.invalid/', origin.replace('http:', 'https:')])
      expect(await peers.links.send(await peerAt(endpoint), PREPARE, soon())).toMatchObject({ outcome: 'not_sent' });
    expect(asked).toEqual([]);
    expect(await peers.links.send(randomUUID(), PREPARE, soon())).toMatchObject({ outcome: 'not_sent' });
  });

  it('is never tried twice on a connection that the other side has just closed', async () => {
    const peer = await peerAt(`${origin}/ilp`);
    answer = say(200, FULFILL);
    await peers.links.send(peer, PREPARE, soon());
    answer = (request) => void request.socket.resetAndDestroy();
    expect(await peers.links.send(peer, PREPARE, soon())).toMatchObject({ outcome: 'lost' });
    expect(asked).toHaveLength(2);
  });
});

describe('the test of a peer', () => {
  const ildcp = (code: string): Listener =>
    say(200, serializeIlpFulfill({ fulfillment: ILDCP_FULFILMENT, data: ildcpAnswer('g.a', { assetCode: code, assetScale: 2 }) }));

  it.each<[string, Listener, string, RegExp]>([
    ['answers', ildcp('USD'), 'good', /accepts the token/],
    ['does not tell its currency', say(200, reject('F02')), 'good', /accepts the token/],
    ['has another currency', ildcp('EUR'), 'refused', /in EUR with 2 .* not in USD with 2/],
    ['has a currency that is none', ildcp('<b>'), 'refused', /otherwise, not in USD/],
    ['takes nothing', say(200, reject('T03')), 'refused', /nothing at the moment/],
    ['has another time', say(200, reject('R00')), 'refused', /clocks of both/],
    ['does not accept the token', say(401, ''), 'refused', /does not accept the token/],
    ['is no node', say(404, ''), 'refused', /not a node/],
    ['breaks off', (request) => void request.socket.resetAndDestroy(), 'unreachable', /could not reach it/],
  ])('tells of a peer that %s', async (_, listener, outcome, words) => {
    answer = listener;
    const tested = await peers.operator.tryWay(await peerAt(`${origin}/ilp`));
    expect(tested).toMatchObject({ ok: true, value: { outcome } });
    expect(tested.ok && peerTestText(tested.value)).toMatch(words);
    const [packet] = asked;
    expect(packet && deserializeIlpPrepare(packet.body)).toMatchObject({ amount: '0', destination: 'peer.config' });
  });

  it('finds no peer that does not exist', async () => {
    expect(await peers.operator.tryWay(randomUUID())).toEqual({ ok: false, error: 'not_found' });
  });
});

it('the node reads the answers about currencies that others write, and reads nothing beyond their end', () => {
  const long = `g.${'a'.repeat(900)}`;
  for (const address of ['g.a', long])
    expect(readIldcpAnswer(ildcpAnswer(address, { assetCode: 'XRP', assetScale: 9 }))).toEqual({ assetCode: 'XRP', assetScale: 9 });
  const whole = ildcpAnswer(long, { assetCode: 'XRP', assetScale: 9 });
  for (let end = 0; end < whole.length; end += 1) expect(readIldcpAnswer(whole.subarray(0, end))).toBeUndefined();
  expect(readIldcpAnswer(Buffer.from([0x84, 255, 255, 255, 255, 0]))).toBeUndefined();
});
