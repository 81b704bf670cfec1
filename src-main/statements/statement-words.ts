import type { StatementWords } from '../../src-shared/statements/statement.ts';
import type { LanguageTag } from '../../src-shared/words/catalogues/languages.ts';
import { catalogues } from '../../src-shared/words/catalogues/load.ts';
import { isLearnt, learn, messagesIn } from '../../src-shared/words/language/language.ts';
import { bestLanguage } from '../../src-shared/words/language/negotiation.ts';

/** The language that comes nearest to a BCP 47 tag. English takes the place of one that the node does not speak. */
export const languageOf = (tag: string): LanguageTag => bestLanguage([tag], (one) => one in catalogues) ?? 'en';

/** The words of a file in a language. They are loaded when they are asked for first. */
export async function statementWords(language: LanguageTag): Promise<StatementWords> {
  const read = catalogues[language];
  if (!isLearnt(language) && read !== undefined) learn(language, (await read()).catalogue);
  const { columns, kinds } = messagesIn(language).statements;
  return { columns, kinds };
}
