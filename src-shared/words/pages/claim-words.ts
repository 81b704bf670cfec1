import { area } from '../language/language.ts';

/** What a customer reads on the page of a claim link. A strong piece is a stranger's text or a moment. */
export const claimWords = area('claimWords');
