// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.
import { catalogue as others } from './catalogue.ts';
import terminalWords from './terminal.json' with { type: 'json' };
import terminalStartWords from './terminal-start.json' with { type: 'json' };

/** All words in this language, by key. */
export const catalogue: Readonly<Record<string, string>> = { ...others, ...terminalStartWords, ...terminalWords };
