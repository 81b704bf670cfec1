import { afterAll, beforeAll, expect, test } from 'vitest';
import { networkOf } from '../platform/outbound-http/targets.ts';
import { portOf, rawAnswer } from './testing/raw-sockets.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

// What the node believes about a request, by what stands before it: whose budgets it counts for, whether it came over
// TLS, and which URL the node calls its own.

const STRANGER = '198.51.100.7';
const PROXY = '10.0.0.1';

let node: TestNode;
const seen: string[] = [];
beforeAll(async () => {
  node = await openTestNode({ config: { trustedProxies: ['10.0.0.0/8', 'fd00::/8'] } });
  node.app.addHook('onRequest', async ({ ip }) => void seen.push(networkOf(ip)));
});
afterAll(() => node.close());

type Headers = Record<string, string | string[]>;

async function taken(remoteAddress: string, headers: Headers) {
  const answer = await node.app.inject({
    url: '/alice',
    remoteAddress,
    headers: { host: 'pay.example', ...headers } as Record<string, string>,
  });
  const { id, authServer, resourceServer } = answer.json<{ id: string; authServer: string; resourceServer: string }>();
  return {
    network: seen.at(-1),
    https: answer.headers['strict-transport-security'] !== undefined,
    own: [id, authServer, resourceServer],
  };
}

const OWN = [`${ORIGIN}/alice`, `${ORIGIN}/auth`, ORIGIN];

test.each<[string, string, Headers, string, boolean]>([
  ['nobody in between', STRANGER, {}, STRANGER, false],
  [
    'a stranger who claims to be a proxy',
    STRANGER,
    { 'x-forwarded-for': '203.0.113.5', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' },
    STRANGER,
    false,
  ],
  ['a declared proxy', PROXY, { 'x-forwarded-for': '203.0.113.5', 'x-forwarded-proto': 'https' }, '203.0.113.5', true],
  [
    'a declared proxy that speaks plain HTTP itself',
    PROXY,
    { 'x-forwarded-for': '203.0.113.5', 'x-forwarded-proto': 'http' },
    '203.0.113.5',
    false,
  ],
  ['a declared proxy that says nothing', PROXY, {}, PROXY, false],
  ['two declared proxies', PROXY, { 'x-forwarded-for': '203.0.113.5, 10.0.0.2', 'x-forwarded-proto': 'https' }, '203.0.113.5', true],
  ['two declared proxies with a line each', PROXY, { 'x-forwarded-for': ['203.0.113.5', '10.0.0.2'] }, '203.0.113.5', false],
  ['a caller who begins the list', PROXY, { 'x-forwarded-for': '192.0.2.1, 127.0.0.1, 203.0.113.5' }, '203.0.113.5', false],
  ['a caller who names a declared proxy', PROXY, { 'x-forwarded-for': '10.0.0.9, 203.0.113.5' }, '203.0.113.5', false],
  ['an undeclared proxy before a declared one', PROXY, { 'x-forwarded-for': '192.0.2.1, 198.51.100.9' }, '198.51.100.9', false],
  ['only declared proxies', PROXY, { 'x-forwarded-for': '10.0.0.3, 10.0.0.2' }, '10.0.0.3', false],
  ['a caller with IPv6', PROXY, { 'x-forwarded-for': '2001:db8:1:2::7' }, '2001:db8:1:2::/64', false],
  ['a declared proxy with IPv6', 'fd00::1', { 'x-forwarded-for': '203.0.113.5' }, '203.0.113.5', false],
  ['an IPv4 proxy on an IPv6 socket', '::ffff:10.0.0.1', { 'x-forwarded-for': '203.0.113.5' }, '203.0.113.5', false],
  ['an IPv4 stranger on an IPv6 socket', '::ffff:198.51.100.7', { 'x-forwarded-for': '203.0.113.5' }, STRANGER, false],
  ['a proxy that writes ports', PROXY, { 'x-forwarded-for': '203.0.113.5:4711' }, '203.0.113.5', false],
  ['a proxy that writes ports of IPv6', PROXY, { 'x-forwarded-for': '[2001:db8:1:2::7]:4711' }, '2001:db8:1:2::/64', false],
  ['a proxy that hides the caller', PROXY, { 'x-forwarded-for': '_hidden' }, 'unknown', false],
  ['a proxy with the header of RFC 7239', PROXY, { forwarded: 'for=203.0.113.5;proto=https;host=evil.example' }, PROXY, false],
  ['several protocols, of which the nearest proxy wrote the last', PROXY, { 'x-forwarded-proto': 'https, http' }, PROXY, false],
  ['another name of the host', PROXY, { host: 'evil.example', 'x-forwarded-host': 'evil.example' }, PROXY, false],
  ['a former name in a forwarded field', PROXY, { 'x-forwarded-host': 'former.example' }, PROXY, false],
  ['a port in the name of the host', PROXY, { host: 'pay.example:8443', 'x-forwarded-port': '8443' }, PROXY, false],
  [
    'a path that a proxy has cut off',
    PROXY,
    { 'x-forwarded-prefix': '/wallet', 'x-original-url': '/eve', 'x-rewrite-url': '/eve' },
    PROXY,
    false,
  ],
])('with %s the node knows the caller, TLS and its own URL', async (_, from, headers, network, https) => {
  expect(await taken(from, headers)).toEqual({ network, https, own: OWN });
});

test('no claimed address makes a new network for each request', async () => {
  const networks = new Set<string | undefined>();
  for (let n = 0; n < 100; n++) {
    await taken(PROXY, { 'x-forwarded-for': `203.0.113.5:${1_024 + n}` });
    networks.add(seen.at(-1));
    await taken(PROXY, { 'x-forwarded-for': `caller-${n}${'x'.repeat(n * 20)}` });
    networks.add(seen.at(-1));
  }
  expect([...networks]).toEqual(['203.0.113.5', 'unknown']);
});

test('a proxy that offers another protocol is answered in HTTP/1.1, and the connection stays what it is', async () => {
  const port = await portOf(node);
  const upgrade = 'connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n';
  const answer = await rawAnswer(port, `GET /alice HTTP/1.1\r\nhost: pay.example\r\n${upgrade}\r\n`);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers.upgrade).toBeUndefined();
  expect((await rawAnswer(port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).statusCode).toBe(400);
  expect((await rawAnswer(port, 'GET /alice HTTP/1.1\r\nhost: pay.example\r\nhost: evil.example\r\n\r\n')).statusCode).toBe(400);
});
