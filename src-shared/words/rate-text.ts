import type { Amount } from '../amounts.ts';
import { locale } from './language/locale.ts';

const DIGITS = 6n;

/**
 * How much of the currency of `to` one whole unit of the currency of `from` became, such as "1 USD = 0.918 EUR". The
 * rate has six significant digits and is rounded down.
 */
export function rateText(from: Amount, to: Amount, tag: string = locale()): string {
  const [numerator, denominator] = [to.value * 10n ** BigInt(from.assetScale), from.value * 10n ** BigInt(to.assetScale)];
  const size = numerator.toString().length - denominator.toString().length;
  const places = Math.max(0, Number(DIGITS) - size);
  const scaled = (numerator * 10n ** BigInt(places)) / denominator;
  const text = scaled.toString().padStart(places + 1, '0');
  const decimal = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
  const format = new Intl.NumberFormat(tag, { maximumSignificantDigits: Number(DIGITS) });
  return `1 ${from.assetCode} = ${format.format(Number(decimal))} ${to.assetCode}`;
}

/** A percentage as people read it, such as `0.5%`. @param bps in hundredths of a percent */
export const percentText = (bps: number, tag: string = locale()): string =>
  new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 }).format(bps / 10_000);
