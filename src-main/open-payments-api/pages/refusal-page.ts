import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkoutWords } from '../../../src-shared/words/pages/checkout-words.ts';
import { refusalWords } from '../../../src-shared/words/pages/refusal-words.ts';
import type { ApiProblem } from '../http/problems.ts';
import { wordsPage } from './checkout-html.ts';
import { escapeHtml, type HtmlPage, prefersHtml, sendHtmlPage, sendStandingPage } from './html-page.ts';

/** The pages that say the same to everybody. */
const STANDING = {
  wait: () => wordsPage(refusalWords.wait),
  unsent: () => wordsPage(refusalWords.unsent),
  refused: () => wordsPage(refusalWords.refused),
  nothing: () => wordsPage(checkoutWords.nothing),
};

/**
 * Answers a refused request with a page when a person looks at the answer. A page that has to wait loads again by
 * itself, also without JavaScript.
 * @returns undefined, without an answer, when a program reads it, or when the problem means nothing to people.
 */
export function refusalPage(problem: ApiProblem, reply: FastifyReply): Promise<FastifyReply> | undefined {
  const { headers, id, routeOptions } = reply.request;
  if (!prefersHtml(headers.accept) || routeOptions.config?.forWatchers) return undefined;
  const kind = kindOf(problem, reply.request);
  if (kind === 'failed' || kind === 'unsure') return sendHtmlPage(reply, problem.status, () => numbered(refusalWords[kind], id));
  if (kind === 'wait') reply.header('refresh', problem.retryAfterSeconds);
  return kind && sendStandingPage(reply, problem.status, STANDING[kind]);
}

function kindOf(problem: ApiProblem, { method, routeOptions }: FastifyRequest) {
  // Loading the page again would lose what was sent, so the sender goes back to it.
  if (method === 'POST') return routeOptions.config?.takesForms && kindOfForm(problem);
  if (problem.retryAfterSeconds !== undefined) return 'wait';
  if (problem.status >= 500) return 'failed';
  return problem.condition === 'not_found' ? 'nothing' : undefined;
}

/** Something may have been stored before a form fails unexpectedly. Every other problem says that nothing was. */
function kindOfForm({ condition, retryAfterSeconds }: ApiProblem) {
  if (condition === 'internal') return 'unsure';
  return retryAfterSeconds === undefined ? 'refused' : 'unsent';
}

function numbered(words: { title: string; words: string }, requestId: string): HtmlPage {
  const page = wordsPage(words);
  return { ...page, body: `${page.body}<p class="address">${escapeHtml(requestId)}</p>` };
}
