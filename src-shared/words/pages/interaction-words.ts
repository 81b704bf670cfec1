import { area } from '../language/language.ts';

/**
 * What a person reads on the interaction page of a grant request. A strong piece is a stranger's text or a moment.
 */
export const interactionWords = area('interactionWords');
