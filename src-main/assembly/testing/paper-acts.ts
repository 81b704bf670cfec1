import { randomUUID } from 'node:crypto';
import { findIncomingPayment, receive } from '../../payments/incoming/incoming-payments.ts';
import type { openOperator } from './node-operator.ts';
import type { TestNode } from './test-node.ts';

type Operator = ReturnType<typeof openOperator>['client'];

/** Every act on receipts and statements. Each prepares what it needs, and gives the act itself. */
export function paperActs(node: () => TestNode, operator: () => Operator): Record<string, () => Promise<() => Promise<unknown>>> {
  const accountId = () => node().accounts.alice.id;
  /** A payment request that takes no more money, and got all of it. */
  const received = async () => {
    const { id } = await operator().requests.create({ requestId: randomUUID(), accountId: accountId(), amount: 100n });
    await node().database.write(async (tx) => {
      const payment = await findIncomingPayment(tx, id);
      if (payment !== undefined) await receive(tx, payment, 100n, node().clock.now());
    });
    return { kind: 'sale' as const, id };
  };
  return {
    'receipts.issue': async () => {
      const of = await received();
      return () => operator().receipts.issue(of);
    },
    'receipts.print': async () => {
      const of = await received();
      await operator().receipts.issue(of);
      return () => operator().receipts.print(of);
    },
    'statements.export': async () => async () => {
      const period = { accountId: accountId(), from: '2020-01-01', to: '2020-01-02' };
      for await (const _part of await operator().statements.export({ ...period, format: 'csv' }));
    },
  };
}
