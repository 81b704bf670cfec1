import { regionalTag, spoken } from './language.ts';

/** The language tag for numbers and dates: the reader's own kind of the language that the words are in. */
export const locale = (): string => regionalTag(spoken());
