import type { Asset } from '../../src-shared/amounts.ts';
import type { exchangeFees } from './tables.ts';

/**
 * What the node takes for one exchange, out of what the payer pays: a fixed amount and a share, and at least a minimum.
 * The amounts are exact: `fixed / per` and `minimum / per` smallest units of the payer's asset.
 */
export interface Fee {
  readonly fixed: bigint;
  readonly minimum: bigint;
  /** The number by which `fixed` and `minimum` are divided. It is at least 1. */
  readonly per: bigint;
  /** The share, in hundredths of a percent, 0 to 9999. */
  readonly shareBps: bigint;
}

/** The whole of an amount, in hundredths of a percent. */
const WHOLE_BPS = 10_000n;

/** Decimal text of 0 or more as an integer, in units of 10^-`places`. */
function scaled(text: string, places: number): bigint {
  const [whole = '', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(places, '0'));
}

const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0;

/** The fee that a row of the table says, for a payer with this asset. */
export function feeFor(row: Pick<typeof exchangeFees.$inferSelect, 'fixed' | 'minimum' | 'shareBps'>, { assetScale }: Asset): Fee {
  const places = Math.max(placesOf(row.fixed), placesOf(row.minimum), assetScale);
  return {
    fixed: scaled(row.fixed, places),
    minimum: scaled(row.minimum, places),
    per: 10n ** BigInt(places - assetScale),
    shareBps: BigInt(row.shareBps),
  };
}

/**
 * What is left of a debit to be exchanged, in smallest units; 0 when the fee takes all of it. The fee is rounded down.
 */
export function afterFee(debit: bigint, fee: Fee | undefined): bigint {
  if (fee === undefined) return debit;
  const usual = fee.fixed * WHOLE_BPS + debit * fee.shareBps * fee.per;
  const least = fee.minimum * WHOLE_BPS;
  const taken = (usual > least ? usual : least) / (fee.per * WHOLE_BPS);
  return taken < debit ? debit - taken : 0n;
}

/** The least debit of which {@link afterFee} leaves `left` or more. `left` is at least 1. */
export function leastDebitFor(left: bigint, fee: Fee | undefined): bigint {
  if (fee === undefined) return left;
  const { fixed, minimum, per, shareBps } = fee;
  const byMinimum = left + minimum / per;
  // debit − floor((fixed · WHOLE + debit · share · per) / (per · WHOLE)) ≥ left, solved for debit.
  const byShare = (fixed * WHOLE_BPS + (left - 1n) * per * WHOLE_BPS) / (per * (WHOLE_BPS - shareBps)) + 1n;
  return byMinimum > byShare ? byMinimum : byShare;
}

/** Whether two fees take the same of every debit in one asset. */
export const sameFee = (a: Fee | undefined, b: Fee | undefined): boolean =>
  a === undefined || b === undefined
    ? a === b
    : a.fixed * b.per === b.fixed * a.per && a.minimum * b.per === b.minimum * a.per && a.shareBps === b.shareBps;
