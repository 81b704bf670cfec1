import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Doer } from '../../journal/doer.ts';
import { receive } from '../../payments/incoming/incoming-payments.ts';
import { notePayer } from '../../payments/refunds/payers.ts';
import { setLimit } from '../../payments/refunds/refund-limits.ts';
import { Refunds } from '../../payments/refunds/refunds.ts';
import { openPayments, type Payments } from '../../payments/testing/payments.ts';
import type { Database } from '../../platform/database/database.ts';
import { BOTH_ENGINES, ROUNDS, turns } from '../../platform/database/testing/both-engines.ts';
import { newId } from '../../platform/ids.ts';
import { WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { people } from '../tables.ts';
import { waitingActs } from './tables.ts';
import { decideIn, hashOf, WAITS_MS } from './waiting-acts.ts';

// Two processes of a node over one database. Neither hears of the other: the rows decide.

const USD = { assetCode: 'USD', assetScale: 2 };
const moments = fc.record({ here: fc.nat(12), there: fc.nat(12) });

describe.each(BOTH_ENGINES)('two replicas over $engine', ({ open }) => {
  let opened: ReturnType<typeof open>;
  let node: Payments;
  beforeEach(() => {
    opened = open();
    node = openPayments({ testDatabase: { ...opened.test, dispose: opened.dispose }, quiet: true });
  });
  afterEach(() => node.close());

  it('attack: a cashier refunds at both at the same moment. Together it stays within the limit of the day', async () => {
    const shop = await node.account('shop', 1_000_000n);
    const { urls, clock, operatorPayments } = node;
    const refundsOver = (database: Database) =>
      new Refunds({
        ...{ database, clock, operatorPayments, onCreated: () => undefined },
        walletAddresses: new WalletAddresses({ database, urls, clock }),
      });
    const [here, there] = [refundsOver(opened.test.database), refundsOver(opened.there)];
    const sale = async () => {
      const made = await node.incomingPayments.create({ walletAddress: shop, client: null, kept: { madeAt: 'till' } });
      if (!made.ok) throw new Error(made.error);
      const { id } = made.value;
      await node.database.write(async (tx) => {
        await receive(tx, made.value, 900n, 1);
        await notePayer(tx, { incomingPaymentId: id, payer: 'https://wallet.example/ann', amount: 900n }, 1);
      });
      return id;
    };
    await setLimit(node, { role: 'cashier', ...USD }, { perPayment: 900n, perDay: 1_000n });
    const round = async (moment: { here: number; there: number }) => {
      const by = { id: newId(), role: 'cashier' as const };
      const wanted = { amount: 400n, by };
      const [first, second, third] = [await sale(), await sale(), await sale()];
      const answers = await Promise.all([
        turns(moment.here).then(() => here.create({ ...wanted, id: newId(), incomingPaymentId: first })),
        turns(moment.there).then(() => there.create({ ...wanted, id: newId(), incomingPaymentId: second })),
        turns(moment.here).then(() => there.create({ ...wanted, id: newId(), incomingPaymentId: third })),
      ]);
      expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
      expect(answers).toContainEqual({ ok: false, error: { over: 'day', limit: 1_000n, left: 200n } });
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
  });

  it('attack: two persons confirm at the same moment, one at each. It is decided once', async () => {
    const person = (id: string): Doer => ({ kind: 'person', id, name: id, role: 'manager' });
    const row = { createdAt: 1, removedAt: null, state: 'active', role: 'manager' } as const;
    await node.database.write((tx) => tx.insert(people).values(['ada', 'bob', 'cleo'].map((id) => ({ ...row, id, name: id }))));
    const round = async (moment: { here: number; there: number }) => {
      const at = node.clock.now();
      const act = { operation: 'payments.pay', subject: null, input: '{}', shown: {} } as const;
      const id = randomUUID();
      const kept = {
        ...act,
        id,
        hash: hashOf(act),
        state: 'waiting',
        byKind: 'person',
        byId: 'ada',
        byName: 'Ada',
        byRole: 'manager',
      } as const;
      const times = { createdAt: at, expiresAt: at + WAITS_MS, decidedById: null, decidedAt: null };
      await node.database.write((tx) => tx.insert(waitingActs).values({ ...kept, ...times }));
      const confirm = (database: Database, by: string) =>
        database.write((tx) => decideIn(tx, { id, state: 'confirmed', by: person(by), at, shownHash: kept.hash }));
      const answers = await Promise.allSettled([
        turns(moment.here).then(() => confirm(opened.test.database, 'bob')),
        turns(moment.there).then(() => confirm(opened.there, 'cleo')),
      ]);
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
  });
});
