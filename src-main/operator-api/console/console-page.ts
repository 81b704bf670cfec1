import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { listenProblems } from '../../../src-shared/words/terminal/starting.ts';
import { ReportedError } from '../../platform/errors.ts';
import { fillPage } from './fill-page.ts';

export const contentSecurityPolicy = (nonce?: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The headers of every answer. */
export const PROTECTING_HEADERS = {
  'content-security-policy': contentSecurityPolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // A handler may set another value for its own answer.
  'cache-control': 'no-store',
};

/** Puts headers on every answer that stop other pages from embedding or reading it, and injected code from running. */
export function keepOthersOut(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(PROTECTING_HEADERS);
  });
}

/** The page of the customer's screen. It needs no session: it shows only what a till in the same browser tells it. */
const CUSTOMER = 'customer.html';

/**
 * Serves the built console. Built files have a hash in their names and never change. Every other address that a person
 * may open or reload is answered with the page itself.
 *
 * The page names the data folder to whoever can open it, which is programs on this computer only. It shows commands in
 * which the folder stands, and they have to be right before anybody has signed in. Over the network it names none.
 * @throws ReportedError when the console is not built.
 */
export async function servePage(
  app: FastifyInstance,
  { rendererDir, dataFolder, isRemote }: { rendererDir: string; dataFolder: string; isRemote: (request: FastifyRequest) => boolean },
): Promise<void> {
  const index = join(rendererDir, 'index.html');
  if (!existsSync(index)) throw new ReportedError(listenProblems.consoleNotBuilt);
  const html = readFileSync(index, 'utf8');
  // The build has compressed these files (scripts/served-files.mjs).
  const files = { index: false, cacheControl: false, preCompressed: true } as const;
  // A route for each of the two hundred files took a tenth of the time of the node's start, so one route serves them.
  await app.register(fastifyStatic, {
    ...files,
    root: join(rendererDir, 'assets'),
    prefix: '/assets/',
    setHeaders: (reply) => reply.header('cache-control', 'public, max-age=31536000, immutable'),
  });
  await app.register(fastifyStatic, {
    ...files,
    root: rendererDir,
    decorateReply: false,
    wildcard: false,
    // The not-found handler serves index.html with a policy of its own. Only the desktop app has passphrase.html, and
    // paired tills have their page at the public address.
    globIgnore: ['index.html', CUSTOMER, 'passphrase.html', 'till.html', 'till/**', 'assets/**'],
    // The logo is on every screen. Without a cached copy it would flicker on each.
    setHeaders: (reply) => reply.header('cache-control', 'public, max-age=3600'),
  });
  const customer = join(rendererDir, CUSTOMER);
  if (existsSync(customer)) {
    const page = readFileSync(customer, 'utf8');
    app.get(`/${CUSTOMER}`, async (_request, reply) => await sendPage(reply, page, ''));
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (!isVisit(request)) return await reply.code(404).send({ error: { code: 'not_found' } });
    return await sendPage(reply, html, isRemote(request) ? '' : dataFolder);
  });
}

/** Whether a person opens an address. Otherwise a page asks for a file, or a script calls an operation. */
function isVisit({ method, headers, url }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true && !/^\/operator(\/|$)/.test(url);
}

function sendPage(reply: FastifyReply, html: string, dataFolder: string): FastifyReply {
  const nonce = randomBytes(18).toString('base64url');
  return reply
    .header('content-security-policy', contentSecurityPolicy(nonce))
    .type('text/html; charset=utf-8')
    .send(fillPage(html, { nonce, dataFolder }));
}
