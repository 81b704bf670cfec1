import type { FastifyReply } from 'fastify';
import type { Interactions } from '../../access/grants/interactions.ts';
import { InteractionParams, StateAnswer } from '../authorization/authorization-schemas.ts';
import { ApiProblem } from '../http/problems.ts';
import { longPoll } from '../http/rate-limits.ts';
import type { PublicServer } from '../http/server.ts';
import { prefersHtml, sendHtmlPage } from './html-page.ts';
import { interactionHtml, type PageContent } from './interaction-html.ts';

/** How long the node holds a page's question open. Proxies and browsers wait longer before they give up. */
const HOLD_MS = 25_000;
/** A person whose page found no place may try again after this many seconds. */
const CROWDED_SECONDS = 60;

/**
 * The page to which a client sends the person who asks (protocol-notes.md#PN-19). It says that the operator decides in
 * paydesk, shows the code that the operator types there, and sends the browser back once the operator has decided.
 */
export function interactionRoutes(app: PublicServer, { interactions }: { interactions: Interactions }): void {
  app.get<{ Params: Record<'id' | 'nonce', string> }>('/auth/interact/:id/:nonce', { exposeHeadRoute: false }, async (request, reply) => {
    const asked = InteractionParams.safeParse(request.params);
    if (!asked.success && !prefersHtml(request.headers.accept)) throw new ApiProblem('not_found');
    const view = asked.success ? await interactions.open(asked.data.id, asked.data.nonce) : undefined;
    if (view === undefined) return sendPage(reply, 404, { kind: 'unknown' });
    if (view.kind === 'waiting') return sendPage(reply, 200, view);
    if (view.kind === 'crowded') return sendPage(reply.header('retry-after', CROWDED_SECONDS), 503, view);
    if (view.redirect === undefined) return sendPage(reply, 200, { kind: 'done', outcome: view.outcome });
    return await reply.status(303).headers(PRIVATE).header('location', view.redirect).send();
  });

  app.get(
    '/auth/interact/:id/:nonce/state',
    { exposeHeadRoute: false, config: { waits: true }, schema: { params: InteractionParams, response: { 200: StateAnswer } } },
    async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const wait = { holdMs: HOLD_MS, gone: gone.signal, reading: longPoll(request) };
      const waiting = await interactions.waits(request.params.id, request.params.nonce, wait);
      if (waiting === undefined) throw new ApiProblem('not_found');
      reply.headers(PRIVATE);
      return { waiting };
    },
  );
}

/**
 * The URL is a secret and the page is for one person: nobody may keep it, list it or learn from where the browser
 * comes.
 */
const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' };

async function sendPage(reply: FastifyReply, status: number, content: PageContent): Promise<FastifyReply> {
  return await sendHtmlPage(reply.headers(PRIVATE), status, () => interactionHtml(content));
}
