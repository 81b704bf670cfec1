// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.
import type { parts } from './en/console.ts';
import type { Catalogue, LanguageTag } from './languages.ts';

/** A part of the console's words that comes with screens. */
export type ScreenPart = keyof typeof parts;

interface Words {
  readonly catalogue: Catalogue;
}

/** The words with which the console starts, and what loads its other parts. */
export interface ConsoleWords extends Words {
  readonly parts: Readonly<Record<ScreenPart, () => Promise<{ readonly default: Catalogue }>>>;
}

type Loaders<Loaded> = Readonly<Partial<Record<LanguageTag, () => Promise<Loaded>>>> & { readonly en: () => Promise<Loaded> };

/** What the console needs of each language before it starts. */
export const consoleCatalogues: Loaders<ConsoleWords> = {
  ar: () => import('./ar/console.ts'),
  de: () => import('./de/console.ts'),
  en: () => import('./en/console.ts'),
  es: () => import('./es/console.ts'),
  fr: () => import('./fr/console.ts'),
  'pt-BR': () => import('./pt-BR/console.ts'),
};

/** The words of the pages, the console and the desktop app in each language. */
export const catalogues: Loaders<Words> = {
  ar: () => import('./ar/catalogue.ts'),
  de: () => import('./de/catalogue.ts'),
  en: () => import('./en/catalogue.ts'),
  es: () => import('./es/catalogue.ts'),
  fr: () => import('./fr/catalogue.ts'),
  'pt-BR': () => import('./pt-BR/catalogue.ts'),
};
