import { owner, readers } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { CurrentRate, pair, Rate } from './rates.ts';

const Bps = z.number().int().min(0).max(9999);
/** An amount in whole units of `base`, as exact decimal text; 0 or more. */
const FeeAmount = z.string().regex(/^(0|[1-9]\d{0,17})(\.\d{1,18})?$/);

/**
 * What the node takes from a payer here for an exchange: `fixed` and a share of what the payer pays, and at least
 * `minimum`.
 */
export const Fee = z.object({ fixed: FeeAmount, shareBps: Bps, minimum: FeeAmount });
export type Fee = z.infer<typeof Fee>;

/** How a pair follows the sources. */
export const Following = z.object({
  ...pair,
  /** The share that the node keeps, in hundredths of a percent. */
  spreadBps: Bps,
  /** The largest change that is believed, in hundredths of a percent of the rate before it. */
  maxJumpBps: z.number().int().min(1).max(1_000_000),
  maxAgeSeconds: Rate.shape.maxAgeSeconds,
  /** Whether the rate that was set by hand counts while this one does not. */
  fallsBack: z.boolean(),
});
export type Following = z.infer<typeof Following>;

/** A rate that a source told. */
const Told = z.object({
  /** Decimal text, with at most ten digits and rounded down. */
  rate: z.string(),
  source: z.string(),
  asOf: z.date(),
});

/** A rate that is too far from the one before. `exact` names it when the operator confirms it. */
const Jump = Told.extend({ exact: z.string() });

/** One pair of currencies with its rates and its fee. */
export const Pair = z.object({
  ...pair,
  /** Which rate payments are exchanged by now, or why none. */
  counts: z.enum(['followed', 'by_hand', 'no_rate', 'rate_stale']),
  byHand: CurrentRate.nullable(),
  followed: Following.omit({ base: true, quote: true }).extend({ believed: Told.nullable(), jump: Jump.nullable() }).nullable(),
  fee: Fee.nullable(),
});
export type Pair = z.infer<typeof Pair>;

const gone = { NOT_FOUND: { status: 404, message: texts.noSuchRate } };
const sameCurrency = { SAME_CURRENCY: { status: 400, message: texts.sameCurrency } };

export const pairs = {
  list: reads(readers, 'Every pair of currencies with its rates and its fee, and what counts of them now.')
    .route({ method: 'GET', path: '/pairs' })
    .output(z.array(Pair)),
  follow: does(owner, 'rates', 'rate.followed', 'Lets the rate of a pair come from the sources, or changes how far they are believed.')
    .route({ method: 'PUT', path: '/pairs/{base}/{quote}/following' })
    .input(Following)
    .errors(sameCurrency)
    .output(Pair),
  unfollow: does(
    owner,
    'rates',
    'rate.unfollowed',
    'Ends that a pair follows the sources. The rate that was set by hand counts from then on.',
  )
    .route({ method: 'DELETE', path: '/pairs/{base}/{quote}/following' })
    .input(z.object(pair))
    .errors(gone)
    .output(z.object(pair)),
  confirmJump: does(owner, 'rates', 'rate.jump_confirmed', 'Believes a rate that was refused because it is too far from the one before.')
    .route({ method: 'POST', path: '/pairs/{base}/{quote}/confirmed-jump' })
    .input(z.object({ ...pair, exact: z.string().max(200) }))
    .errors({ ...gone, JUMP_CHANGED: { status: 409, message: texts.jumpChanged } })
    .output(Pair),
  setFee: does(
    owner,
    'rates',
    'rate.fee_set',
    'Sets what payers here pay for an exchange of this pair. Prices that were promised keep theirs.',
  )
    .route({ method: 'PUT', path: '/pairs/{base}/{quote}/fee' })
    .input(Fee.extend(pair))
    .errors(sameCurrency)
    .output(Pair),
  removeFee: does(owner, 'rates', 'rate.fee_removed', 'Removes the fee of a pair.')
    .route({ method: 'DELETE', path: '/pairs/{base}/{quote}/fee' })
    .input(z.object(pair))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchFee } })
    .output(z.object(pair)),
};
