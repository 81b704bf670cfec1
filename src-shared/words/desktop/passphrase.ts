import { area } from '../language/language.ts';
/** The page that asks for the passphrase of the node's keys, before the console can open. */
export const passphrase = area('passphrase');
