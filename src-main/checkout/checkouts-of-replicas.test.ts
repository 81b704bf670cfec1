import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import type { Database } from '../platform/database/database.ts';
import { BOTH_ENGINES, ROUNDS, turns } from '../platform/database/testing/both-engines.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { Seal } from '../platform/secrets/seal.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { CheckoutWorker } from './checkout-worker.ts';
import { Checkouts } from './checkouts.ts';
import { checkouts } from './tables.ts';
import { otherWallet } from './testing/other-wallet.ts';

const visitor = randomBytes(32).toString('base64url');
const seal = new Seal(randomBytes(32));
const moments = fc.record({ here: fc.nat(20), there: fc.nat(20), answer: fc.nat(20), returnsThere: fc.boolean() });

describe.each(BOTH_ENGINES)('two replicas over $engine', ({ open }) => {
  let opened: ReturnType<typeof open>;
  let node: Payments;
  let shop: WalletAddress;
  let wallet: ReturnType<typeof otherWallet>;
  beforeEach(async () => {
    opened = open();
    node = openPayments({ testDatabase: { ...opened.test, dispose: opened.dispose }, quiet: true });
    shop = await node.account('shop', 0n);
    wallet = otherWallet();
  });
  afterEach(() => node.close());

  const over = (database: Database, holder: string) => {
    const { clock, urls, walletAddresses } = node;
    const parts = { database, clock, urls, seal, walletAddresses, ...wallet.parts };
    return {
      worker: new CheckoutWorker({ ...parts, log: createLogger('silent'), holder }),
      desk: new Checkouts(parts, () => undefined),
    };
  };
  type Replica = ReturnType<typeof over>;

  async function begin({ desk }: Replica): Promise<string> {
    const incomingAmount = { value: 1_000n, assetCode: 'USD', assetScale: 2 };
    const made = await node.incomingPayments.create({ walletAddress: shop, client: null, incomingAmount });
    if (!made.ok) throw new Error(made.error);
    const wanted = { incomingPaymentId: made.value.id, wallet: 'wallet.example/ann', network: '192.0.2.1', amount: undefined, visitor };
    const begun = await desk.start(wanted);
    if (!begun.ok) throw new Error(begun.error);
    return begun.value;
  }

  it('take each step of a checkout once, and the visitor comes back to either of them', async () => {
    const [here, there] = [over(opened.test.database, 'here'), over(opened.there, 'there')];
    const round = async (moment: typeof moments extends fc.Arbitrary<infer M> ? M : never) => {
      const id = await begin(here);
      wallet.told.length = 0;
      const { continue: goOn, pay } = otherWallet().answers;
      wallet.answers.continue = () => turns(moment.answer).then(goOn);
      wallet.answers.pay = () => turns(moment.answer).then(pay);
      const work = async ({ worker }: Replica, after: number) => {
        await turns(after);
        for (let step = 0; step < 4; step += 1) await worker.runOnce();
      };
      const back = wallet.yes();
      const returned = (moment.returnsThere ? there : here).desk.comeBack(id, visitor, back);
      await Promise.all([returned, work(here, moment.here), work(there, moment.there)]);
      // Who has looked before the visitor was back looks once more.
      await Promise.all([work(here, moment.there), work(there, moment.here)]);
      expect(wallet.told).toEqual(['continue the-interact-ref', 'pay https://wallet.example/quotes/1']);
      node.clock.advance(5_000);
      await Promise.all([work(here, moment.here), work(there, moment.there)]);
      const [row] = await node.database.read.select().from(checkouts).where(eq(checkouts.id, id));
      expect([row?.state, row?.reason]).toEqual(['paid', null]);
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
  });
});
