import type { LanguageTag } from '../../../src-shared/words/catalogues/languages.ts';
import { terminalCatalogues } from '../../../src-shared/words/catalogues/load-terminal.ts';
import { learn, speak } from '../../../src-shared/words/language/language.ts';
import { bestLanguage } from '../../../src-shared/words/language/negotiation.ts';

/** The option that names the language. `language` alone is that of a statement's file. */
export const LANGUAGE_FLAG = 'message-language';

/** A language as POSIX or BCP 47 writes it, such as `de_DE.UTF-8@euro` or `pt-BR`, as a BCP 47 tag. */
const tagOf = (name: string): string => (/^[^.@]*/.exec(name)?.[0] ?? '').replaceAll('_', '-');

/** The language with this name, or the nearest kind of it. It is undefined when paydesk does not speak it. */
export const languageNamed = (name: string): LanguageTag | undefined => bestLanguage([tagOf(name)], () => true);

/** The language of a terminal, as POSIX orders the variables: the first that is set and not empty decides alone. */
const terminalLanguages = ({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): readonly string[] => [
  tagOf([LC_ALL, LC_MESSAGES, LANG].find((value) => value !== undefined && value !== '') ?? ''),
];

/** What was typed as the language. Other options may still be wrong, and that is said in this language. */
function typedLanguage(argv: readonly string[]): string | undefined {
  const end = argv.indexOf('--');
  const options = end < 0 ? argv : argv.slice(0, end);
  const at = options.findLastIndex((one) => one === `--${LANGUAGE_FLAG}` || one.startsWith(`--${LANGUAGE_FLAG}=`));
  const [name, ...value] = options[at]?.split('=') ?? [];
  return value.length === 0 && name !== undefined ? options[at + 1] : value.join('=') || undefined;
}

/**
 * The language of what the program says to a person (decisions.md#D-257): the one that was typed, or that
 * PAYDESK_MESSAGE_LANGUAGE names, or the first of `wanted` that paydesk speaks, or English. A language that was asked
 * for and that paydesk does not speak is refused when the settings are read.
 * @param wanted BCP 47 tags, the dearest first. Without them the variables of the terminal say what is wanted.
 */
export function messageLanguage(argv: readonly string[], wanted?: readonly string[], env: NodeJS.ProcessEnv = process.env): LanguageTag {
  const asked = typedLanguage(argv) ?? env.PAYDESK_MESSAGE_LANGUAGE ?? '';
  return languageNamed(asked) ?? bestLanguage(wanted ?? terminalLanguages(env), () => true) ?? 'en';
}

/** Makes this process speak a language. Its words are loaded only now, and the English ones are there already. */
export async function speakIn(tag: LanguageTag): Promise<void> {
  if (tag !== 'en') learn(tag, (await terminalCatalogues[tag]()).catalogue);
  speak(tag);
}
