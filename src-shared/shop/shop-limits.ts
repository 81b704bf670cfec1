/** How long the texts of the shop's profile may be, and how many there may be. */
export const SHOP_LIMITS = {
  name: 80,
  addressLines: 6,
  addressLine: 80,
  taxNumber: 40,
  closingLine: 200,
  taxRates: 8,
  taxRateName: 40,
} as const;

/** The largest tax rate, in thousandths of a percent: 100 %. */
export const MOST_TAX = 100_000;

/** The latest moment at which the shop's day may end, in minutes after midnight, and the steps between two of them. */
export const LATEST_DAY_END = 11 * 60 + 45;
export const DAY_END_STEP = 15;

/** The largest logo, in bytes. */
export const MOST_LOGO_BYTES = 100 * 1024;

/** The most dots of a logo on a receipt printer. The narrowest paper has 384 of them in a line. */
export const MOST_LOGO_DOTS = { width: 320, height: 160 } as const;
