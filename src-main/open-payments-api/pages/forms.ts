import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkoutWords } from '../../../src-shared/words/pages/checkout-words.ts';
import type { z } from '../../../src-shared/zod.ts';
import type { Cost } from '../../access/clients/tier-limits.ts';
import type { RateLimiter } from '../../platform/limits/rate-limiter.ts';
import { networkOf } from '../../platform/outbound-http/targets.ts';
import { ApiProblem } from '../http/problems.ts';
import { wordsPage } from './checkout-html.ts';
import { prefersHtml, sendHtmlPage } from './html-page.ts';

/** How many forms one network address may send: each makes this node ask other computers, or store something. */
export const FORMS = { perSecond: 0.2, burst: 12 };

/** Nobody may keep or list a page that says who pays whom. */
export const PRIVATE = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' };

/** The configuration of a route that takes a form. */
export const FORM = { takesForms: true } as const;

/** @throws ApiProblem */
export function readForm<T>({ body }: FastifyRequest, form: z.ZodType<T>): T {
  const fields = Object.fromEntries(new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : ''));
  const read = form.safeParse(fields);
  if (!read.success) throw new ApiProblem('invalid_request');
  return read.data;
}

/** The same answer for everything that does not exist. */
export function sendNothing(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!prefersHtml(request.headers.accept)) throw new ApiProblem('not_found');
  return sendHtmlPage(reply.headers(PRIVATE), 404, () => wordsPage(checkoutWords.nothing));
}

/**
 * Takes forms from this node's own pages only, so that no other page can send one in a visitor's name.
 * @throws ApiProblem
 */
export function refuseOtherPages({ headers }: FastifyRequest, origins: readonly string[]): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? origins.includes(headers.origin ?? '') : site === 'same-origin';
  if (!isOwn) throw new ApiProblem('cross_site');
}

/** Counts a form for the network from which it came. @returns the network. @throws ApiProblem */
export function countedNetwork(forms: RateLimiter, request: FastifyRequest, cost: Pick<Cost, 'bytes' | 'outbound'>): string {
  const network = networkOf(request.ip);
  const wait = forms.take(network);
  if (wait > 0) throw new ApiProblem('rate_limited', { retryAfterSeconds: Math.ceil(wait / 1_000) });
  const refusal = request.server.rateLimits?.refuseCost(request, cost);
  if (refusal !== undefined) throw refusal;
  return network;
}
