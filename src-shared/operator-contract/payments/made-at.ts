/**
 * The place in the shop where a payment request was made: under *Get paid* or by the shop's software, or at the till.
 */
export const MADE_AT = ['desk', 'till'] as const;
export type MadeAt = (typeof MADE_AT)[number];
