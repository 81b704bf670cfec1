const AMOUNTS = new Set([
  'sales',
  'refunds',
  'sent',
  'opening',
  'deposits',
  'withdrawals',
  'closing',
  'difference',
  'value',
  'net',
  'tax',
  'refundedNet',
  'refundedTax',
  'refunded',
  'tip',
  'refundedTip',
]);

/** Figures in the form in which they are stored and hashed. */
export const storedText = (figures: object): string =>
  JSON.stringify(figures, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

/** The figures from {@link storedText}. */
export const fromStored = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) => (AMOUNTS.has(name) && typeof value === 'string' ? BigInt(value) : value));
