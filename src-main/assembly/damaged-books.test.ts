import { afterEach, beforeEach, expect } from 'vitest';
import { wholeRound } from '../audit/testing/whole-round.ts';
import { onSqlite } from '../platform/database/testing/on-sqlite.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(() => node.close());

const damage = (change: bigint) =>
  node.test.tamper('update ledger_accounts set balance = balance + ? where id = ?', change, `customer:${node.accounts.alice.id}`);
const round = () => wholeRound(node.audit, node.test.file, { beganAt: node.clock.now() });

async function asksFor(name: 'alice' | 'carol') {
  const walletAddress = `${ORIGIN}/${name}`;
  const token = await node.giveToken([{ type: 'incoming-payment', actions: ['create'] }]);
  const { status, body } = await node.call({ method: 'POST', path: '/incoming-payments', token, body: { walletAddress } });
  return { status, body };
}

onSqlite('the audit reads the file of SQLite')(
  'a node with damaged books is not ready, and takes no new payment for the damaged account until it is mended',
  async () => {
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
  },
);
