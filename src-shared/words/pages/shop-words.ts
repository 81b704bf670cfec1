import { area } from '../language/language.ts';

/** What a visitor reads on the first page of the public URL. */
export const shopWords = area('shopWords');
