import { area } from '../../language/language.ts';

/** The persons who work with the console, and what each role may do. */
export const people = area('people');
