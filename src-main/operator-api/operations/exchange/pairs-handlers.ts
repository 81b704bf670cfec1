import type { Pair as PairView } from '../../../../src-shared/operator-contract/exchange/pairs.ts';
import { decimalOf, readFraction } from '../../../exchange/fraction.ts';
import { listPairs, type Pair } from '../../../exchange/pairs.ts';
import type { OperatorContext } from '../../context.ts';
import { operations } from '../guarded-operations.ts';
import { rateView } from './rates-handlers.ts';

const os = operations.pairs;

export const pairsHandlers = os.router({
  list: os.list.handler(async ({ context }) => (await listPairs(context)).map((pair) => toView(pair, context))),
  follow: os.follow.handler(async ({ context, input, errors }) => {
    const followed = await context.followedRates.follow(input);
    if (!followed.ok) throw errors.SAME_CURRENCY();
    return await viewOf(context, input);
  }),
  unfollow: os.unfollow.handler(async ({ context, input: { base, quote }, errors }) => {
    const ended = await context.followedRates.unfollow(base, quote);
    if (!ended.ok) throw errors.NOT_FOUND();
    return { base, quote };
  }),
  confirmJump: os.confirmJump.handler(async ({ context, input: { base, quote, exact }, errors }) => {
    const confirmed = await context.followedRates.confirmJump(base, quote, exact);
    if (!confirmed.ok) throw confirmed.error === 'not_found' ? errors.NOT_FOUND() : errors.JUMP_CHANGED();
    return await viewOf(context, { base, quote });
  }),
  setFee: os.setFee.handler(async ({ context, input, errors }) => {
    const set = await context.exchangeFees.set(input);
    if (!set.ok) throw errors.SAME_CURRENCY();
    return await viewOf(context, input);
  }),
  removeFee: os.removeFee.handler(async ({ context, input: { base, quote }, errors }) => {
    const removed = await context.exchangeFees.remove(base, quote);
    if (!removed.ok) throw errors.NOT_FOUND();
    return { base, quote };
  }),
});

/** One pair as it is now. Another operator may have removed it in the meantime. */
async function viewOf(context: OperatorContext, { base, quote }: { base: string; quote: string }): Promise<PairView> {
  const found = (await listPairs(context)).find((pair) => pair.base === base && pair.quote === quote);
  return found ? toView(found, context) : { base, quote, counts: 'no_rate', byHand: null, followed: null, fee: null };
}

function toView({ base, quote, counts, byHand, followed, fee }: Pair, context: OperatorContext): PairView {
  return {
    ...{ base, quote, counts },
    byHand: byHand === undefined ? null : rateView(context.rates.current(byHand)),
    followed: followed === undefined ? null : followedView(followed),
    fee: fee === undefined ? null : { fixed: fee.fixed, shareBps: fee.shareBps, minimum: fee.minimum },
  };
}

function followedView(followed: NonNullable<Pair['followed']>): NonNullable<PairView['followed']> {
  const { spreadBps, maxJumpBps, maxAgeSeconds, fallsBack, rate, source, asOf, refused, refusedSource, refusedAsOf } = followed;
  const told = (exact: string, by: string | null, at: number | null) => ({
    rate: decimalOf(readFraction(exact)),
    source: by ?? '',
    asOf: new Date(at ?? 0),
  });
  return {
    ...{ spreadBps, maxJumpBps, maxAgeSeconds, fallsBack },
    believed: rate === null ? null : told(rate, source, asOf),
    jump: refused === null ? null : { ...told(refused, refusedSource, refusedAsOf), exact: refused },
  };
}
