import { area } from '../language/language.ts';
/** What a person reads who opens a wallet address in a browser. */
export const walletAddressWords = area('walletAddressWords');
