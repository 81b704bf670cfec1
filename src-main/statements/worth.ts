import type { Asset } from '../../src-shared/amounts.ts';
import { CURRENCIES } from '../../src-shared/currencies.ts';
import { type StatementHead, sizeOf, type Worth } from '../../src-shared/statements/statement.ts';
import { decimalOf } from '../exchange/fraction.ts';
import { pastRatesBetween } from '../exchange/past-rates.ts';
import type { Reader } from '../platform/database/database.ts';

/** The decimal places of a home currency that ISO 4217 does not have. */
const USUAL_SCALE = 2;

/**
 * Tells what a change of the balance was worth in the home currency, by the rate that counted at its moment. It is null
 * where no rate counted. Halves of a smallest unit are rounded away from zero.
 * @param homeCurrency the code of the shop's home currency, or null
 */
export async function worthIn(
  reader: Reader,
  homeCurrency: string | null,
  { start, end, assetCode, assetScale }: Asset & Pick<StatementHead, 'start' | 'end'>,
): Promise<(change: bigint, at: number) => Worth | null> {
  if (homeCurrency === null) return () => null;
  if (assetCode === homeCurrency) return (value) => ({ assetCode, assetScale, value, rate: null });
  const scale = CURRENCIES.find((one) => one.assetCode === homeCurrency)?.assetScale ?? USUAL_SCALE;
  const rateAt = await pastRatesBetween(reader, assetCode, homeCurrency, { from: start, before: end });
  return (change, at) => {
    const rate = rateAt(at);
    if (rate === undefined) return null;
    const [numerator, denominator] = [rate.numerator * 10n ** BigInt(scale), rate.denominator * 10n ** BigInt(assetScale)];
    const size = (2n * sizeOf(change) * numerator + denominator) / (2n * denominator);
    return { assetCode: homeCurrency, assetScale: scale, value: change < 0n ? -size : size, rate: decimalOf(rate) };
  };
}

/** Whether no rate to the home currency counted at the last movement of a statement. */
export async function lacksRate(reader: Reader, homeCurrency: string | null, head: StatementHead): Promise<boolean> {
  if (homeCurrency === null || head.credits.count + head.debits.count === 0) return false;
  const worthOf = await worthIn(reader, homeCurrency, { ...head, start: head.lastAt, end: head.lastAt + 1 });
  return worthOf(0n, head.lastAt) === null;
}
