// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.
import type { Catalogue, LanguageTag } from './languages.ts';

type Loaders = Readonly<Partial<Record<LanguageTag, () => Promise<{ readonly catalogue: Catalogue }>>>> & {
  readonly en: () => Promise<{ readonly catalogue: Catalogue }>;
};

/** What the console needs of each language. */
export const consoleCatalogues: Loaders = {
  ar: () => import('./ar/console.ts'),
  de: () => import('./de/console.ts'),
  en: () => import('./en/console.ts'),
  es: () => import('./es/console.ts'),
  fr: () => import('./fr/console.ts'),
  'pt-BR': () => import('./pt-BR/console.ts'),
};

/** The words of the pages, the console and the desktop app in each language. */
export const catalogues: Loaders = {
  ar: () => import('./ar/catalogue.ts'),
  de: () => import('./de/catalogue.ts'),
  en: () => import('./en/catalogue.ts'),
  es: () => import('./es/catalogue.ts'),
  fr: () => import('./fr/catalogue.ts'),
  'pt-BR': () => import('./pt-BR/catalogue.ts'),
};
