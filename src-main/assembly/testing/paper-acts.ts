import { randomUUID } from 'node:crypto';
import { letDecide } from '../../payments/claims/claims.ts';
import { findIncomingPayment, receive } from '../../payments/incoming/incoming-payments.ts';
import { findClaim } from '../../payments/refunds/claim-rows.ts';
import { claimTries } from '../../payments/refunds/tables.ts';
import type { openOperator } from './node-operator.ts';
import type { TestNode } from './test-node.ts';

type Operator = ReturnType<typeof openOperator>['client'];

/** Every act on receipts, statements and claim links. Each prepares what it needs, and gives the act itself. */
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
  /** A claim link, and a wallet that waits for a decision about it. */
  const claimed = async () => {
    const { id: paymentId } = await received();
    const { id } = await operator().claims.make({ requestId: randomUUID(), paymentId, amount: 50n });
    const walletId = randomUUID();
    await node().database.write(async (tx) => {
      const at = node().clock.now();
      await tx.insert(claimTries).values({
        ...{ id: walletId, claimId: id, state: 'listing', payer: 'https://wallet.example/ann', visitorHash: '' },
        ...{ tries: 0, createdAt: at, lapsesAt: at, updatedAt: at },
      });
      const claim = await findClaim(tx, id);
      if (claim !== undefined) await letDecide(tx, claim, { id: walletId }, { finding: 'not_paid', said: 0n }, at);
    });
    return { id, walletId };
  };
  return {
    'claims.make': async () => {
      const { id: paymentId } = await received();
      return () => operator().claims.make({ requestId: randomUUID(), paymentId, amount: 50n });
    },
    'claims.cancel': async () => {
      const { id } = await claimed();
      return () => operator().claims.cancel({ id });
    },
    'claims.refund': async () => {
      const claim = await claimed();
      return () => operator().claims.refund(claim);
    },
    'claims.refuse': async () => {
      const claim = await claimed();
      return () => operator().claims.refuse(claim);
    },
    'receipts.issue': async () => {
      const of = await received();
      return () => operator().receipts.issue(of);
    },
    'receipts.print': async () => {
      const of = await received();
      await operator().receipts.issue(of);
      return () => operator().receipts.print(of);
    },
    ...printingActs(operator, received),
    'reports.export': async () => async () => {
      const period = { accountId: accountId(), from: '2020-01-01', to: '2020-01-02' };
      for await (const _part of await operator().reports.export({ ...period, format: 'csv' }));
    },
    'statements.export': async () => async () => {
      const period = { accountId: accountId(), from: '2020-01-01', to: '2020-01-02' };
      for await (const _part of await operator().statements.export({ ...period, format: 'csv' }));
    },
  };
}

const PRINTER = { name: 'Counter', host: '127.0.0.1', port: 9, paper: 'roll80', language: 'en', printsSales: false } as const;

/** Every act on the receipt printer. @param received makes a payment of which there can be a receipt */
function printingActs(operator: () => Operator, received: () => Promise<{ kind: 'sale'; id: string }>) {
  const setUp = () => operator().printing.set(PRINTER);
  return {
    'printing.set': async () => setUp,
    'desktop.choosePrinter': async () => () =>
      operator().desktop.choosePrinter({ device: 'Office_A4', paper: 'a4', language: 'ar', printsSales: false }),
    'printing.remove': async () => {
      await setUp();
      return () => operator().printing.remove({});
    },
    'printing.test': async () => {
      await setUp();
      return () => operator().printing.test({});
    },
    'printing.print': async () => {
      await setUp();
      const of = await received();
      await operator().receipts.issue(of);
      return () => operator().printing.print(of);
    },
    'printing.cancel': async () => {
      await setUp();
      const { id } = await operator().printing.test({});
      return () => operator().printing.cancel({ id });
    },
  };
}
