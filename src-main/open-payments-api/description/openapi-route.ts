import { z } from '../../../src-shared/zod.ts';
import type { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { version } from '../../platform/version.ts';
import type { PublicServer } from '../http/server.ts';
import { openApiDocument } from './openapi.ts';

/** `GET /openapi.json` describes the routes of `app`, as they are when somebody first asks for it. */
export function openApiRoute(app: PublicServer, urls: PublicUrls): void {
  let document: Record<string, unknown> | undefined;
  const schema = { response: { 200: z.record(z.string(), z.unknown()) } };
  app.get('/openapi.json', { schema, serializerCompiler: () => JSON.stringify }, (_request, reply) => {
    document ??= openApiDocument(app.registeredRoutes, { origin: urls.origin, version });
    reply.header('cache-control', 'public, max-age=300');
    return document;
  });
}
