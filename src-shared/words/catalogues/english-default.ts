import { catalogue } from './en/terminal.ts';

/** The node always has the English words. */
export const defaultCatalogue: Readonly<Record<string, string>> | undefined = catalogue;
