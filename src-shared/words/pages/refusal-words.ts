import { area } from '../language/language.ts';

/** What a person reads in place of a page that the node refuses. */
export const refusalWords = area('refusalWords');
