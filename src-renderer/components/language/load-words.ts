import type { Catalogue, LanguageTag } from '../../../src-shared/words/catalogues/languages.ts';
import { catalogues, consoleCatalogues } from '../../../src-shared/words/catalogues/load.ts';
import { directionOf, learn, speak } from '../../../src-shared/words/language/language.ts';
import { bestLanguage } from '../../../src-shared/words/language/negotiation.ts';

declare global {
  /** Tests set this catalogue before the console starts, in place of the English one. */
  var paydeskCatalogue: Catalogue | undefined;
}

const KEPT = 'paydesk-language';

/** The language that the person chose in this browser. It is undefined while they go by the browser. */
export function chosenLanguage(): LanguageTag | undefined {
  try {
    return bestLanguage([localStorage.getItem(KEPT) ?? ''], () => true);
  } catch {
    // A browser that keeps nothing goes by its own languages.
    return undefined;
  }
}

/** Keeps the person's choice in this browser, and opens the page in that language. */
export function chooseLanguage(tag: LanguageTag | undefined): void {
  if (tag === undefined) localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, tag);
  location.reload();
}

/** The language of this page: the person's choice, or else the first of the browser's that has a catalogue. */
const languageOfPage = (): LanguageTag => chosenLanguage() ?? bestLanguage(navigator.languages, (tag) => tag in consoleCatalogues) ?? 'en';

/** Loads the words of this page's language and says in the page which it is. */
export const loadWords = (): Promise<void> => load(consoleCatalogues);

/** Loads the words of the page that asks for the passphrase. They are among those of the desktop app. */
export const loadPassphraseWords = (): Promise<void> => load(catalogues);

async function load(from: typeof catalogues): Promise<void> {
  const tag = languageOfPage();
  const read = from[tag] ?? from.en;
  const { catalogue } = globalThis.paydeskCatalogue === undefined ? await read() : { catalogue: globalThis.paydeskCatalogue };
  learn(tag, catalogue);
  speak(tag);
  document.documentElement.lang = tag;
  document.documentElement.dir = directionOf(tag);
}
