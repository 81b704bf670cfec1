import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(() => node.close());

const read = async (url: string, host: string) => await node.app.inject({ method: 'GET', url, headers: { host } });

test.each([
  ['pay.example', 'https://pay.example/alice'],
  ['PAY.example', 'https://pay.example/alice'],
  ['former.example', 'http://former.example/alice'],
  ['evil.example', 'https://pay.example/alice'],
])('a wallet address that is read at %s has the id %s', async (host, id) => {
  expect((await read('/alice', host)).json()).toMatchObject({
    id,
    authServer: 'https://pay.example/auth',
    resourceServer: 'https://pay.example',
  });
});

test.each(['/alice/', '/Alice', '/ALICE', '//alice', '/%61lice/'])('%s is no wallet address', async (url) => {
  expect((await read(url, 'pay.example')).statusCode).toBe(404);
});

test('a wallet address under a former origin can be paid as the one it was', async () => {
  const { id } = (await read('/alice', 'former.example')).json<{ id: string }>();
  expect((await node.payments.walletAddresses.byUrl(id))?.id).toBe(node.accounts.alice.id);
});
