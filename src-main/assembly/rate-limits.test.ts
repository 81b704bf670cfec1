import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { ListenerTimeouts } from '../open-payments-api/http/listener.ts';
import { EVERYTHING, incomingPayment, pathOf } from './testing/error-cases.ts';
import { startGrant } from './testing/grant-steps.ts';
import { answerOn, openSocket, portOf } from './testing/raw-sockets.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
afterEach(() => node.close());

/** How many equal requests the node answers before it refuses one. */
async function untilRefused(ask: () => Promise<number>, most = 1_000): Promise<number> {
  for (let count = 0; count < most; count++) if ((await ask()) === 429) return count;
  return most;
}
const from =
  (remoteAddress: string, url = '/healthz') =>
  async (): Promise<number> =>
    (await node.app.inject({ url, remoteAddress })).statusCode;

describe('an address', () => {
  test('may use twice its rate at once and then its rate, which touches no other address', async () => {
    node = await openTestNode({ config: { addressRate: 50 } });
    expect(await untilRefused(from('192.0.2.1'))).toBe(100);
    expect(await from('192.0.2.2')()).toBe(200);
    node.clock.advance(1_000);
    expect(await untilRefused(from('192.0.2.1'))).toBe(50);
  });

  test('uses 20 of its requests with each failure', async () => {
    node = await openTestNode({ config: { addressRate: 100 } });
    expect(await untilRefused(from('192.0.2.1', '/nobody'))).toBe(10);
    expect(await from('192.0.2.1')()).toBe(429);
    node.clock.advance(200);
    expect(await untilRefused(from('192.0.2.1', '/nobody'))).toBe(1);
  });

  test.each<[string, (token: string) => Promise<number>]>([
    ['guessed tokens', async () => (await node.call({ method: 'GET', path: '/outgoing-payment-grant', token: 'guessed' })).status],
    [
      'stolen tokens',
      async (token) => (await node.call({ method: 'GET', path: '/outgoing-payment-grant', token, client: node.other })).status,
    ],
    ['grant requests of unknown clients', async () => (await node.call({ method: 'POST', path: '/auth', body: { client: 'x' } })).status],
    ['guessed payments', async () => (await node.app.inject(`/incoming-payments/${node.accounts.alice.id}`)).statusCode],
    ['bad URLs', async () => (await node.app.inject('/%E0%A4%A')).statusCode],
  ])('fails when it sends %s', async (_, ask) => {
    node = await openTestNode({ config: { addressRate: 100 } });
    const token = await node.giveToken(EVERYTHING);
    expect(await untilRefused(() => ask(token))).toBe(10);
    expect(await from('127.0.0.1')()).toBe(429);
  });

  test('does not fail with a refused request of a verified client', async () => {
    node = await openTestNode({ config: { addressRate: 100 } });
    const token = await node.giveToken(EVERYTHING);
    const ask = async () => (await node.call({ method: 'GET', path: `/quotes/${node.accounts.alice.id}`, token })).status;
    expect(await untilRefused(ask)).toBe(200);
  });

  test('is the one that a declared proxy names, and the node believes nobody else', async () => {
    const asked = (remoteAddress: string, forwarded: string) => async () =>
      (await node.app.inject({ url: '/healthz', remoteAddress, headers: { 'x-forwarded-for': forwarded } })).statusCode;
    node = await openTestNode({ config: { addressRate: 5, trustedProxies: ['10.0.0.0/8'] } });
    expect(await untilRefused(asked('10.1.2.3', '203.0.113.1, 192.0.2.1'))).toBe(10);
    expect(await asked('10.1.2.3', '203.0.113.1, 192.0.2.2')()).toBe(200);
    expect(await asked('10.1.2.3', '203.0.113.2, 192.0.2.1')()).toBe(429);
    let n = 0;
    expect(await untilRefused(async () => await asked('198.51.100.1', `203.0.113.${n++}`)())).toBe(10);
  });
});

describe('a client', () => {
  test('has one rate wherever it calls from, and cannot use up that of another client', async () => {
    node = await openTestNode({ config: { clientRate: 10 } });
    const path = pathOf(await incomingPayment(node));
    const [mine, theirs] = [await node.giveToken(EVERYTHING), await node.giveToken(EVERYTHING, node.other)];
    let n = 0;
    const ask = async () => {
      const { statusCode } = await node.app.inject({
        ...node.signed({ method: 'GET', path, token: mine }),
        remoteAddress: `192.0.2.${n++}`,
      });
      return statusCode;
    };
    expect(await untilRefused(ask)).toBe(19);
    const refused = await node.call({ method: 'GET', path, token: mine });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect((await node.call({ method: 'GET', path, token: theirs, client: node.other })).status).toBe(200);
    // A request that names the client but is not signed with its key does not count as the client's.
    const forged = await node.call({ method: 'GET', path, token: theirs });
    expect([forged.status, (await node.call({ method: 'GET', path, token: theirs, client: node.other })).status]).toEqual([401, 200]);
    node.clock.advance(1_000);
    expect(await untilRefused(ask)).toBe(10);
  });

  test('is limited at the authorization server too', async () => {
    node = await openTestNode({ config: { clientRate: 2 } });
    const request = { access_token: { access: [{ type: 'quote', actions: ['create'] }] } };
    const { token, continuation } = await startGrant(node, request);
    await startGrant(node, request);
    await startGrant(node, request);
    await startGrant(node, request);
    for (const [method, at] of [
      ['POST', token],
      ['DELETE', token],
      ['POST', continuation],
      ['DELETE', continuation],
    ] as const) {
      expect((await node.call({ method, path: at?.path ?? '', ...(at && { token: at.token }) })).status).toBe(429);
    }
    node.clock.advance(1_000);
    expect((await node.call({ method: 'DELETE', ...continuation })).status).toBe(204);
  });
});

describe('500 slow sockets', () => {
  const kinds: [string, string][] = [
    ['that say nothing', ''],
    ['in the middle of their headers', 'GET /healthz HTTP/1.1\r\nhost: x\r\na: '],
    ['in the middle of a body', 'POST /auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{'],
  ];

  const openAll = async (bytes: string, timeouts?: ListenerTimeouts): Promise<Socket[]> => {
    node = await openTestNode(timeouts && { timeouts });
    const port = await portOf(node);
    return await Promise.all(Array.from({ length: 500 }, () => openSocket(port, bytes)));
  };

  test.each(kinds)('%s do not hold up the node', async (_, bytes) => {
    const sockets = await openAll(bytes);
    const token = await node.giveToken(EVERYTHING);
    const { url, headers = {} } = node.signed({ method: 'GET', path: '/outgoing-payment-grant', token });
    for (let i = 0; i < 20; i++) expect((await fetch(`http://127.0.0.1:${await portOf(node)}${url}`, { headers })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test.each(kinds)('%s are sent away', async (_, bytes) => {
    const sockets = await openAll(bytes, { headers: 200, request: 400, check: 50 });
    const answers = await Promise.all(sockets.map(answerOn));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([408]));
  });
});
