import { afterEach, expect, test } from 'vitest';
import { ALICE, EVERYTHING } from './testing/error-cases.ts';
import { portOf, rawAnswer } from './testing/raw-sockets.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
afterEach(() => node.close());

// Some proxies pass on the whole URL, and every server must accept it (RFC 9112 §3.2.2).
test.each([
  [ORIGIN, 200],
  ['http://former.example', 401],
  ['https://other.example', 401],
  ['https://pay.example.other', 401],
])('the node answers a signed request for the whole URL under %s with %i', async (origin, status) => {
  node = await openTestNode();
  const path = `/outgoing-payments?wallet-address=${encodeURIComponent(ALICE)}`;
  const { headers = {} } = node.signed({ method: 'GET', path, token: await node.giveToken(EVERYTHING) });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const answer = await rawAnswer(await portOf(node), `GET ${origin}${path} HTTP/1.1\r\nhost: pay.example\r\n${lines.join('')}\r\n`);
  expect(answer.statusCode).toBe(status);
});
