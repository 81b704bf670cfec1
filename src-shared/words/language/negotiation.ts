import { LANGUAGES, type LanguageTag } from '../catalogues/languages.ts';

/**
 * The first of the wanted languages that there is. A wanted `de-AT` is met by German, and a wanted `pt` by the
 * Portuguese of Brazil, because a kind of a language is better than another language.
 * @param wanted BCP 47 tags, the dearest first
 * @param isThere whether a language's catalogue is there
 */
export function bestLanguage(wanted: readonly string[], isThere: (tag: LanguageTag) => boolean): LanguageTag | undefined {
  const there = LANGUAGES.filter(isThere);
  for (const tag of wanted) {
    const [base = ''] = tag.toLowerCase().split('-');
    const met = there.find((one) => one.toLowerCase() === tag.toLowerCase()) ?? there.find((one) => one.split('-')[0] === base);
    if (met !== undefined) return met;
  }
  return undefined;
}

/** The most languages that a header is read for. Nobody speaks more, and a longer header is not looked at further. */
const MOST_WANTED = 20;

/** The languages of an `Accept-Language` header, the dearest first (RFC 9110 section 12.5.4). */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',', MOST_WANTED)
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(/\s*;\s*/);
      const q = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
      return { tag, weight: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q) : 0 };
    })
    .filter(({ tag, weight }) => weight > 0 && /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(tag))
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
