import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ReportedError } from '../../platform/errors.ts';

const PLACEHOLDER = '__STYLE_NONCE__';

const contentSecurityPolicy = (nonce?: string): string =>
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

const HEADERS = {
  'content-security-policy': contentSecurityPolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Of everything that no handler says otherwise about.
  'cache-control': 'no-store',
};

/** Puts the headers on every answer that keep other pages and injected code out. */
export function keepOthersOut(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(HEADERS);
  });
}

/**
 * Serves the built console: its files, which carry a hash in their names and never change, and for every other address a
 * person may open or reload, the page itself.
 * @throws ReportedError when the console is not built.
 */
export async function servePage(app: FastifyInstance, rendererDir: string): Promise<void> {
  const index = join(rendererDir, 'index.html');
  if (!existsSync(index)) throw new ReportedError('The console is not built. Run "npm run build" first.');
  const html = readFileSync(index, 'utf8');
  await app.register(fastifyStatic, {
    root: rendererDir,
    wildcard: false,
    index: false,
    // The page, which comes with a policy of its own, and one that only the desktop app has.
    globIgnore: ['index.html', 'passphrase.html'],
    cacheControl: false,
    // What the build has compressed; see scripts/served-files.mjs.
    preCompressed: true,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(rendererDir, 'assets'));
      // The logo stands on every screen, and is not to flicker on each.
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (!isVisit(request)) return await reply.code(404).send({ error: { code: 'not_found' } });
    return await sendPage(reply, html);
  });
}

/** Whether a person opens an address, rather than a page or a script a file or an operation. */
function isVisit({ method, headers, url }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true && !/^\/operator(\/|$)/.test(url);
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  const nonce = randomBytes(18).toString('base64url');
  return reply
    .header('content-security-policy', contentSecurityPolicy(nonce))
    .type('text/html; charset=utf-8')
    .send(html.replaceAll(PLACEHOLDER, nonce));
}
