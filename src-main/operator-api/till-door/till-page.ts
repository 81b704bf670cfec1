import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { readShop } from '../../shop/shop.ts';
import { contentSecurityPolicy, PROTECTING_HEADERS } from '../console/console-page.ts';
import { fillPage } from '../console/fill-page.ts';
import type { OperatorContext } from '../context.ts';
import { deviceCookie, deviceSecret } from './till-cookie.ts';

/** The page as the build names it. */
const PAGE = 'till.html';

/** Puts headers on every answer that stop other pages from embedding or reading it, and takes those for apps away. */
export function keepOthersOut(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    for (const name of ['access-control-allow-origin', 'access-control-expose-headers']) reply.removeHeader(name);
    reply.headers(PROTECTING_HEADERS);
  });
}

/**
 * Serves the page of the till with its files. It is the same for everybody and tells nothing of the shop, so it costs a
 * stranger's request no look into the database. Only the names in the manifest do, for a device that has a cookie.
 */
export async function serveTillPage(app: FastifyInstance, context: OperatorContext, rendererDir: string): Promise<void> {
  if (!existsSync(join(rendererDir, PAGE))) return;
  const html = readFileSync(join(rendererDir, PAGE), 'utf8');
  const files = { index: false, cacheControl: false, decorateReply: false } as const;
  await app.register(fastifyStatic, {
    ...{ ...files, root: join(rendererDir, 'assets'), prefix: '/till/assets/', preCompressed: true },
    setHeaders: (reply) => reply.header('cache-control', 'public, max-age=31536000, immutable'),
  });
  // The icon, and the service worker. Browsers ask whether these are still the same.
  await app.register(fastifyStatic, {
    ...{ ...files, root: join(rendererDir, 'till'), prefix: '/till/', wildcard: false },
    setHeaders: (reply) => reply.header('cache-control', 'no-cache'),
  });
  app.get('/till/', async (request, reply) => {
    const origin = context.urls.originAt(request.headers.host);
    const cookie = deviceSecret(request.headers.cookie, origin);
    // Otherwise a till that is used every day would have to be paired anew when its cookie ends.
    if (cookie !== undefined && (await context.tills.nameOf(cookie)) !== undefined)
      reply.header('set-cookie', deviceCookie(cookie, origin));
    const nonce = randomBytes(18).toString('base64url');
    return await reply
      .header('content-security-policy', `${contentSecurityPolicy(nonce)}; worker-src 'self'; manifest-src 'self'`)
      .type('text/html; charset=utf-8')
      .send(fillPage(html, { nonce, dataFolder: '' }));
  });
  app.get('/till/manifest.webmanifest', async (request, reply) => {
    const cookie = deviceSecret(request.headers.cookie, context.urls.originAt(request.headers.host));
    const name = cookie === undefined ? undefined : await context.tills.nameOf(cookie);
    const shop = name === undefined ? '' : (await readShop(context.database.read)).profile.name;
    return await reply.type('application/manifest+json').send(JSON.stringify(manifestOf(name, shop)));
  });
}

/** What a device needs to know to install the page as an app (W3C Web Application Manifest). */
const manifestOf = (till = 'paydesk', shop = '') => ({
  name: shop === '' ? till : `${till} · ${shop}`,
  short_name: till,
  id: '/till/',
  start_url: '/till/',
  scope: '/till/',
  display: 'standalone',
  icons: [
    { src: '/till/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    { src: '/till/icon.png', sizes: '1024x1024', type: 'image/png', purpose: 'any' },
  ],
});
