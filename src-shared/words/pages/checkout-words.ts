import { area } from '../language/language.ts';

/** What a visitor reads on the pages of an incoming payment. A strong piece is a stranger's text or a moment. */
export const checkoutWords = area('checkoutWords');
