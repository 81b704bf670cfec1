import { area } from './language/language.ts';

/** What each problem with a peer means, and what the operator can do. */
export const linkProblems = area('linkProblems');
