import { area } from '../language/language.ts';

/** What went wrong and what the operator can do, by the code of a refused operation. */
export const errors = area('errors');
