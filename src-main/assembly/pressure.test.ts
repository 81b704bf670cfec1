import { eq } from 'drizzle-orm';
import { afterEach, expect, it } from 'vitest';
import { grants } from '../access/tables.ts';
import { ENDPOINTS, isEndpoint } from '../open-payments-api/description/endpoints.ts';
import type { Shed } from '../open-payments-api/http/pressure.ts';
import { EVERYTHING } from './testing/error-cases.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
afterEach(() => node.close());

const pressure: { shed: Shed } = { shed: 'nobody' };

/** A node with an app that the operator has allowed, and that has signed well. */
async function open() {
  pressure.shed = 'nobody';
  node = await openTestNode({ pressure });
  const token = await node.giveToken(EVERYTHING);
  await node.database.write((tx) => tx.update(grants).set({ interactive: true }).where(eq(grants.clientId, node.shop.url)));
  const app = { method: 'GET' as const, path: '/outgoing-payment-grant', token };
  const stranger = { ...app, token: await node.giveToken(EVERYTHING, node.other), client: node.other };
  const status = async (call: typeof app) => (await node.call(call)).status;
  expect([await status(app), await status(stranger)]).toEqual([200, 200]);
  return { app: () => status(app), stranger: () => status(stranger) };
}

it('strangers are refused first, and known apps at the second level', async () => {
  const { app, stranger } = await open();
  pressure.shed = 'strangers';
  expect([await app(), await stranger()]).toEqual([200, 503]);
  pressure.shed = 'everybody';
  expect([await app(), await stranger()]).toEqual([503, 503]);
  pressure.shed = 'nobody';
  expect([await app(), await stranger()]).toEqual([200, 200]);
});

it('every endpoint says when to come again, and neither health nor packets of peers are refused', async () => {
  await open();
  pressure.shed = 'everybody';
  for (const name of Object.keys(ENDPOINTS).filter(isEndpoint)) {
    const [method = '', path = ''] = name.split(' ');
    const { statusCode, headers, body } = await node.app.inject({ method: method as 'GET', url: path.replaceAll(':', '') });
    if (['/healthz', '/readyz'].includes(path)) expect(statusCode).toBe(200);
    else expect([name, statusCode, headers['retry-after'], JSON.parse(body).error.code]).toEqual([name, 503, '2', 'busy']);
  }
});

it('a person whose page is refused reads that it loads again', async () => {
  await open();
  pressure.shed = 'strangers';
  const { statusCode, headers, body } = await node.app.inject({ url: '/alice', headers: { accept: 'text/html,*/*;q=0.8' } });
  expect([statusCode, headers['retry-after'], headers['content-type']]).toEqual([503, '2', 'text/html; charset=utf-8']);
  expect(body).toContain('One moment, please');
});
