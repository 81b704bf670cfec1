import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { BOTH_ENGINES, ROUNDS, turns } from '../../platform/database/testing/both-engines.ts';
import { newId } from '../../platform/ids.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { receive } from '../incoming/incoming-payments.ts';
import { claimsOf, findClaim } from '../refunds/claim-rows.ts';
import { notePayer } from '../refunds/payers.ts';
import { refundsOf } from '../refunds/refund-rows.ts';
import { mostLeftBy } from '../refunds/refund-rule.ts';
import { Refunds } from '../refunds/refunds.ts';
import { claimTries } from '../refunds/tables.ts';
import { openPayments, type Payments } from '../testing/payments.ts';
import { Claims, letDecide } from './claims.ts';

const ANN = 'https://wallet.example/ann';
const BY = { id: 'owner', role: 'owner' as const };
const moments = fc.array(fc.nat(12), { minLength: 5, maxLength: 5 });

describe.each(BOTH_ENGINES)('two replicas over $engine', ({ open }) => {
  let opened: ReturnType<typeof open>;
  let node: Payments;
  let shop: WalletAddress;
  beforeEach(async () => {
    opened = open();
    node = openPayments({ testDatabase: { ...opened.test, dispose: opened.dispose }, quiet: true });
    shop = await node.account('shop', 10_000_000n);
  });
  afterEach(() => node.close());

  const over = (database: Database) => ({
    claims: new Claims({ database, clock: node.clock, links: node.claimLinks, onRefund: () => undefined }),
    refunds: new Refunds({ ...node, database, onCreated: () => undefined }),
  });
  /** A payment of which one half is proven, with a claim about which the operator decides. */
  async function claimed() {
    const made = await node.incomingPayments.create({ walletAddress: shop, client: null });
    if (!made.ok) throw new Error(made.error);
    const { id } = made.value;
    await node.database.write((tx) => receive(tx, made.value, 1_000n, 1));
    const [claimId, walletId] = [newId(), randomUUID()];
    expect((await node.claims.make({ id: claimId, incomingPaymentId: id, amount: 600n, by: BY })).ok).toBe(true);
    const at = node.clock.now();
    await node.database.write(async (tx) => {
      await notePayer(tx, { incomingPaymentId: id, payer: ANN, amount: 1_000n }, 1);
      await tx.insert(claimTries).values({
        ...{ id: walletId, claimId, state: 'listing', payer: ANN, visitorHash: '', tries: 0, createdAt: at, lapsesAt: at, updatedAt: at },
      });
      const claim = await findClaim(tx, claimId);
      if (claim !== undefined) await letDecide(tx, claim, { id: walletId }, { finding: 'not_paid' }, at);
    });
    return { id, claimId, walletId };
  }

  it('attack: both decide, cancel and refund at the same moment. The claim ends once, and no more leaves than came', async () => {
    const [here, there] = [over(opened.test.database), over(opened.there)];
    const round = async ([first = 0, second = 0, third = 0, fourth = 0, fifth = 0]: number[]) => {
      const { id, claimId, walletId } = await claimed();
      const refund = (of: typeof here, amount: bigint) => of.refunds.create({ id: newId(), incomingPaymentId: id, amount, by: BY });
      const ended = [
        turns(first).then(() => here.claims.refund(claimId, walletId)),
        turns(second).then(() => there.claims.refund(claimId, walletId)),
        turns(third).then(() => there.claims.cancel(claimId)),
      ];
      const others = [turns(fourth).then(() => refund(here, 400n)), turns(fifth).then(() => refund(there, 600n))];
      const outcomes = await Promise.all(ended);
      await Promise.all(others);
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      const refunds = await refundsOf(node.database.read, id, { most: 10 });
      expect(refunds.reduce((sum, one) => sum + mostLeftBy(one), 0n)).toBeLessThanOrEqual(1_000n);
      const [claim] = await claimsOf(node.database.read, id, { most: 10 });
      expect(refunds.filter(({ claimed: by }) => by !== null)).toHaveLength(claim?.state === 'refunded' ? 1 : 0);
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: Math.ceil(ROUNDS / 5) });
  });
});
