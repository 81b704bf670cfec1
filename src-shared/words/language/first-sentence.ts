import { locale } from './locale.ts';

/**
 * The first sentence of a text of the catalogues. In a list it names a reason, without what to do about it.
 * @param language a BCP 47 tag
 */
export function firstSentence(text: string, language: string = locale()): string {
  const [first] = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text);
  return first?.segment.trim() ?? text;
}
