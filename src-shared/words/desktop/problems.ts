import { area } from '../language/language.ts';
/** Why the desktop app cannot start. */
export const problems = area('problems');
