/** A currency with a precision. Only amounts of the same asset can be added. */
export interface Asset {
  /** The ISO 4217 code where there is one. */
  readonly assetCode: string;
  /**
   * How many decimal places an amount has, from 0 to 255. With 2, a `value` of 1 is a hundredth of the currency unit.
   */
  readonly assetScale: number;
}

/** An exact amount of money. `value` counts the smallest units of the asset (cents for USD at scale 2). */
export interface Amount extends Asset {
  readonly value: bigint;
}

/** The largest amount that can be stated, such as a limit: unsigned 64 bits (decisions.md#D-12). */
export const MAX_STATED = 2n ** 64n - 1n;
/** The largest amount that can move. Balances are signed 64-bit integers. */
export const MAX_MOVED = 2n ** 63n - 1n;

export const sameAsset = (a: Asset, b: Asset): boolean => a.assetCode === b.assetCode && a.assetScale === b.assetScale;

/**
 * Reads an unsigned 64-bit integer in its canonical decimal form, which amounts have on the wire.
 * @returns undefined for anything else: signs, leading zeros, exponents, an empty text, 2^64 and more.
 */
export function parseUint64(text: string): bigint | undefined {
  if (!/^(0|[1-9]\d{0,19})$/.test(text)) return undefined;
  const value = BigInt(text);
  return value <= MAX_STATED ? value : undefined;
}

/** The asset as one word, such as `USD/2`. It is a key in maps and ledger account ids. */
export const assetKey = ({ assetCode, assetScale }: Asset): string => `${assetCode}/${assetScale}`;

/** The amount as plain decimal text without a currency, such as `12.50`. It is exact at any size. */
export function toDecimal(value: bigint, assetScale: number): string {
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(assetScale + 1, '0');
  if (assetScale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -assetScale)}.${digits.slice(-assetScale)}`;
}
