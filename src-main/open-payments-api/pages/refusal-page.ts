import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LanguageTag } from '../../../src-shared/words/catalogues/languages.ts';
import { checkoutWords } from '../../../src-shared/words/pages/checkout-words.ts';
import { refusalWords } from '../../../src-shared/words/pages/refusal-words.ts';
import type { ApiProblem } from '../http/problems.ts';
import { escapeHtml, type HtmlPage, htmlOf, inertPage, prefersHtml, sendHtmlPage } from './html-page.ts';
import { visitorsLanguage } from './visitors-language.ts';

/** What a page says that is the same for every request. */
const STANDING = {
  wait: () => said(refusalWords.wait),
  unsent: () => said(refusalWords.unsent),
  nothing: () => said(checkoutWords.nothing),
};
type Standing = keyof typeof STANDING;

/**
 * The standing pages that somebody has met, by language and name. They are kept, because an overloaded node sends many.
 */
const made = new Map<string, string>();

/** The pages themselves forbid everything else; see {@link inertPage}. */
const HEADERS = {
  'content-security-policy': "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Answers a refused request with a page when a person looks at the answer. A page that has to wait loads again by
 * itself, also without JavaScript.
 * @returns undefined, without an answer, when a program reads it, or when the problem means nothing to people.
 */
export function refusalPage(problem: ApiProblem, reply: FastifyReply): Promise<FastifyReply> | undefined {
  const { headers, routeOptions } = reply.request;
  if (!prefersHtml(headers.accept) || routeOptions.config?.forWatchers) return undefined;
  const kind = kindOf(problem, reply.request);
  if (kind === 'failed') return sendHtmlPage(reply, problem.status, () => failed(reply.request.id));
  if (kind === 'wait') reply.header('refresh', problem.retryAfterSeconds);
  return kind && sendStanding(kind, problem.status, reply);
}

function kindOf({ condition, status, retryAfterSeconds }: ApiProblem, { method, routeOptions }: FastifyRequest) {
  // Loading the page again would lose what was sent, so the sender goes back to it.
  if (method === 'POST') return routeOptions.config?.takesForms && 'unsent';
  if (retryAfterSeconds !== undefined) return 'wait';
  if (status >= 500) return 'failed';
  return condition === 'not_found' ? 'nothing' : undefined;
}

async function sendStanding(kind: Standing, status: number, reply: FastifyReply): Promise<FastifyReply> {
  const tag = await visitorsLanguage(reply.request);
  return reply
    .status(status)
    .headers(HEADERS)
    .type('text/html; charset=utf-8')
    .header('content-language', tag)
    .header('vary', 'Accept, Accept-Language, Cookie')
    .send(standing(kind, tag));
}

function standing(kind: Standing, tag: LanguageTag): string {
  const key = `${tag} ${kind}`;
  const page = made.get(key) ?? inertPage(tag, STANDING[kind]);
  made.set(key, page);
  return page;
}

const failed = (requestId: string): HtmlPage => said(refusalWords.failed, `<p class="address">${escapeHtml(requestId)}</p>`);

const said = ({ title, words }: { title: string; words: string }, more = ''): HtmlPage => ({
  title,
  body: `<h1>${htmlOf(title)}</h1><p>${htmlOf(words)}</p>${more}`,
});
