// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.
import { catalogue as others } from './catalogue.ts';

/** All words in this language, by key. */
export const catalogue: Readonly<Record<string, string>> = { ...others };
