import { area } from '../language/language.ts';

/** What a visitor reads on the pages of receipts, beside the receipt itself. */
export const receiptPageWords = area('receiptWords');
