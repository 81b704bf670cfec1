import { afterEach, beforeEach, expect, it } from 'vitest';
import { roundOf } from '../audit/testing/whole-round.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(() => node.close());

const damage = (change: bigint) =>
  node.test.tamper('update ledger_accounts set balance = balance + ? where id = ?', change, `customer:${node.accounts.alice.id}`);
const round = () => roundOf(node);

async function asksFor(name: 'alice' | 'carol') {
  const walletAddress = `${ORIGIN}/${name}`;
  const token = await node.giveToken([{ type: 'incoming-payment', actions: ['create'] }]);
  const { status, body } = await node.call({ method: 'POST', path: '/incoming-payments', token, body: { walletAddress } });
  return { status, body };
}

it('a node with damaged books is not ready, and takes no new payment for the damaged account until it is mended', async () => {
  expect((await node.app.inject('/readyz')).statusCode).toBe(200);
  await damage(7n);
  await round();
  expect((await node.app.inject('/readyz')).statusCode).toBe(503);
  expect(await asksFor('alice')).toMatchObject({ status: 503, body: { error: { code: 'account_damaged' } } });
  expect(await asksFor('carol')).toMatchObject({ status: 201 });
  await damage(-7n);
  node.clock.advance(1_000);
  await round();
  expect((await node.app.inject('/readyz')).statusCode).toBe(200);
  expect(await asksFor('alice')).toMatchObject({ status: 201 });
});
