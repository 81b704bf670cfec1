import type { FastifyRequest } from 'fastify';
import { LANGUAGES, type LanguageTag } from '../../../src-shared/words/catalogues/languages.ts';
import { catalogues } from '../../../src-shared/words/catalogues/load.ts';
import { isLearnt, learn } from '../../../src-shared/words/language/language.ts';
import { acceptedLanguages, bestLanguage } from '../../../src-shared/words/language/negotiation.ts';
import { cookieNamed } from '../../platform/cookies.ts';

/** The cookie that keeps what a visitor chose at the bottom of a page. */
const COOKIE = 'paydesk-language';
const YEAR_SECONDS = 31_536_000;

/** The languages in which the pages can be read. */
export const PAGE_LANGUAGES: readonly LanguageTag[] = LANGUAGES.filter((tag) => tag in catalogues);

const isThere = (tag: LanguageTag): boolean => tag in catalogues;

/** What the visitor asks for: the links at the bottom of a page have `?lang=`. */
const askedFor = ({ url }: FastifyRequest): LanguageTag | undefined =>
  bestLanguage([URL.parse(url, 'http://node')?.searchParams.get('lang') ?? ''], isThere);

/**
 * The language of a page: what the visitor chose on it, now or before, or else what their browser prefers. Its words
 * are loaded when they are asked for first.
 */
export async function visitorsLanguage(request: FastifyRequest): Promise<LanguageTag> {
  const wanted = [cookieNamed(COOKIE, request.headers.cookie) ?? '', ...acceptedLanguages(request.headers['accept-language'] ?? '')];
  const tag = askedFor(request) ?? bestLanguage(wanted, isThere) ?? 'en';
  const read = catalogues[tag];
  if (!isLearnt(tag) && read !== undefined) learn(tag, (await read()).catalogue);
  return tag;
}

/** The cookie that keeps what was asked for with `?lang=`. It is undefined when nothing was. */
export function choiceCookie(request: FastifyRequest): string | undefined {
  const tag = askedFor(request);
  return tag && `${COOKIE}=${tag}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax; HttpOnly`;
}
