import { area } from '../language/language.ts';

/** The keys of the shop's own software, and what each role may do. */
export const apiKeys = area('apiKeys');
