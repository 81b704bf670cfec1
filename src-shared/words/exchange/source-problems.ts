import { area } from '../language/language.ts';

/** Why a look at a source of rates brought nothing, and what the operator can do. */
export const sourceProblems = area('sourceProblems');
