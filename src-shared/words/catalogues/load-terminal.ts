// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.
import type { Catalogue, LanguageTag } from './languages.ts';

/** All words of each language. The English ones are there from the start. */
export const terminalCatalogues: Readonly<Record<Exclude<LanguageTag, 'en'>, () => Promise<{ readonly catalogue: Catalogue }>>> = {
  ar: () => import('./ar/terminal.ts'),
  de: () => import('./de/terminal.ts'),
  es: () => import('./es/terminal.ts'),
  fr: () => import('./fr/terminal.ts'),
  'pt-BR': () => import('./pt-BR/terminal.ts'),
};
