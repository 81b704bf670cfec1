import type { Catalogue, LanguageTag } from '../../../src-shared/words/catalogues/languages.ts';
import { type ConsoleWords, catalogues, consoleCatalogues, type ScreenPart } from '../../../src-shared/words/catalogues/load.ts';
import { directionOf, learn, speak, spoken } from '../../../src-shared/words/language/language.ts';
import { bestLanguage } from '../../../src-shared/words/language/negotiation.ts';

declare global {
  /** Tests set this catalogue before the console starts, in place of the English one. */
  var paydeskCatalogue: Catalogue | undefined;
}

const KEPT = 'paydesk-language';
/** The beginning of the name under which the choice of one person is kept; the id of the person follows. */
const KEPT_OF = 'paydesk-language-of-';
/** No tag of a language: the person goes by the browser. */
const BY_BROWSER = 'browser';

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
export function chooseLanguage(tag: LanguageTag | undefined, personId: string | undefined): void {
  if (personId !== undefined) localStorage.setItem(KEPT_OF + personId, tag ?? BY_BROWSER);
  keepChoice(tag);
  location.reload();
}

function keepChoice(tag: LanguageTag | undefined): void {
  if (tag === undefined) localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, tag);
}

/**
 * Opens the page in the language of whoever has signed in (decisions.md#D-319). Somebody who has chosen none in this
 * browser goes by the browser, once anybody else has chosen one as theirs.
 */
export function speakWith(personId: string): void {
  try {
    const own = localStorage.getItem(KEPT_OF + personId);
    if (own === null && !Object.keys(localStorage).some((key) => key.startsWith(KEPT_OF))) return;
    keepChoice(bestLanguage([own ?? BY_BROWSER], () => true));
  } catch {
    // A browser that keeps nothing goes by its own languages.
    return;
  }
  if (languageOfPage() !== spoken()) location.reload();
}

/** The language of this page: the person's choice, or else the first of the browser's that has a catalogue. */
const languageOfPage = (): LanguageTag => chosenLanguage() ?? bestLanguage(navigator.languages, (tag) => tag in consoleCatalogues) ?? 'en';

/** What loads the parts that are not loaded yet. */
let waiting: Partial<ConsoleWords['parts']> = {};

/** Loads the words with which the console starts, in this page's language, and says in the page which that is. */
export async function loadWords(): Promise<void> {
  const tag = languageOfPage();
  if (globalThis.paydeskCatalogue !== undefined) return begin(tag, globalThis.paydeskCatalogue);
  const { catalogue, parts } = await (consoleCatalogues[tag] ?? consoleCatalogues.en)();
  begin(tag, catalogue);
  waiting = { ...parts };
}

/** Loads the words of the page that asks for the passphrase. They are among those of the desktop app. */
export async function loadPassphraseWords(): Promise<void> {
  const tag = languageOfPage();
  begin(tag, (await (catalogues[tag] ?? catalogues.en)()).catalogue);
}

function begin(tag: LanguageTag, catalogue: Catalogue): void {
  learn(tag, catalogue);
  speak(tag);
  document.documentElement.lang = tag;
  document.documentElement.dir = directionOf(tag);
}

async function loadPart(part: ScreenPart): Promise<void> {
  const words = await waiting[part]?.();
  if (words === undefined) return;
  learn(spoken(), words.default);
  delete waiting[part];
}

/**
 * Loads a screen after the parts of the catalogue that its modules name: they read their words when they are loaded.
 * `scripts/rules/screen-words.mjs` compares the parts with what the modules name.
 */
export const withWords =
  <Module>(parts: readonly ScreenPart[], load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    await Promise.all(parts.map(loadPart));
    return load();
  };
