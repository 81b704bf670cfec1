import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type RawServerDefault,
} from 'fastify';
import { NotStored } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { PublicUrls } from '../platform/public-urls.ts';
import { ApiProblem, type Condition } from './problems.ts';
import { useZodSchemas, type ZodTypes } from './schemas.ts';

/** The public API's server. Route plugins take one and register on it. */
export type PublicServer = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypes>;

const BODY_LIMIT = 64 * 1024;
const HEADER_LIMIT = 16 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'last-modified, location, retry-after, www-authenticate, x-request-id',
};
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
  // The star stands for every header but `Authorization`, which must be named (Fetch standard).
  'access-control-allow-headers': '*, authorization, content-type, content-digest, signature, signature-input',
  'access-control-max-age': '86400',
};

/**
 * An HTTP server for clients and other wallets, without routes yet: limits, raw bodies, CORS, request ids, the error table
 * and a log line for each answer. It never logs a URL or a header, because both can carry secrets.
 */
export function createPublicServer({ urls, log }: { urls: PublicUrls; log: Logger }): PublicServer {
  const answer = (problem: ApiProblem, reply: FastifyReply): FastifyReply => {
    // Whoever is refused for want of a grant is told where to ask for one (specification, "Authentication", 5).
    if (problem.status === 401) reply.header('www-authenticate', `GNAP as_uri=${urls.authServer}`);
    return reply.status(problem.status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(problem.body);
  };
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { maxHeaderSize: HEADER_LIMIT },
    requestIdHeader: false,
    genReqId: newId,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...CORS, 'x-request-id': request.id });
      answer(problemOf(error, request, log), reply);
    },
  }).withTypeProvider<ZodTypes>();

  useZodSchemas(app);
  app.decorateRequest('authenticated', undefined);
  app.decorateRequest('rawBody', undefined);
  keepRawBodies(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...CORS, 'x-request-id': request.id });
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      return await reply.status(204).headers(PREFLIGHT).send();
    }
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, url: route = 'unknown' } = request.routeOptions;
    log.info({
      requestId: request.id,
      method: method ?? request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
  });
  app.setNotFoundHandler(() => {
    throw new ApiProblem('not_found');
  });
  app.setErrorHandler((error, request, reply) => answer(problemOf(error, request, log), reply));
  return app;
}

/**
 * Bodies stay bytes: signatures cover them as they came. Every official client names a content type on requests without a
 * body too, so nothing at all is no body, whatever its type (facts §1).
 */
function keepRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return done(new ApiProblem('unsupported_media_type'));
    request.rawBody = body;
    done(null, body);
  });
}

const FRAMEWORK_CONDITIONS: Record<string, Condition> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_http',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

function problemOf(error: unknown, request: FastifyRequest, log: Logger): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = FRAMEWORK_CONDITIONS[code];
  if (known !== undefined) return new ApiProblem(known);
  log.error({ requestId: request.id, route: request.routeOptions.url, err: error }, 'a request failed unexpectedly');
  return new ApiProblem(error instanceof NotStored ? 'unavailable' : 'internal', { details: { requestId: request.id } });
}

/** Answers what is not HTTP at all, or too large or too slow to be read; there is no request object then. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const conditions: Record<string, Condition> = { HPE_HEADER_OVERFLOW: 'headers_too_large', ERR_HTTP_REQUEST_TIMEOUT: 'timed_out' };
  const problem = new ApiProblem(conditions[error.code ?? ''] ?? 'malformed_http');
  const body = JSON.stringify(problem.body);
  const head = [
    `HTTP/1.1 ${problem.status} Refused`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${newId()}`,
    'access-control-allow-origin: *',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
