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
import { BooksDamaged } from '../../ledger/audit/damages.ts';
import { isDamage } from '../../platform/database/damage.ts';
import { DatabaseBusy, NotStored } from '../../platform/database/database.ts';
import { asRefusable } from '../../platform/database/job-context.ts';
import { newId } from '../../platform/ids.ts';
import { type ConnectionCaps, capConnections, capsWithin } from '../../platform/limits/connections.ts';
import type { Logger } from '../../platform/logs/logger.ts';
import { FILES_NEEDED, outliveRefusals } from '../../platform/open-files.ts';
import type { PublicUrls } from '../../platform/public-address/public-urls.ts';
import type { TlsContext } from '../../platform/public-address/tls-certificate.ts';
import { answerBrokenRequest, DEFAULT_TIMEOUTS, type ListenerTimeouts, serversOf } from './listener.ts';
import { ApiProblem, type Condition } from './problems.ts';
import { isFailure, type RateLimits } from './rate-limits.ts';
import { collectRoutes } from './registered-routes.ts';
import { useZodSchemas, type ZodTypes } from './schemas.ts';
import { UnreadAnswers, type UnreadLimits } from './unread-answers.ts';

/** The public API's server. Route plugins take one and register on it. */
export type PublicServer = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypes>;

const BODY_LIMIT = 64 * 1024;

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'last-modified, location, retry-after, www-authenticate, x-request-id',
};
/**
 * Headers of every answer. Nobody keeps an answer, because it holds tokens or private data (RFC 9635 §3), or changes
 * soon. Routes say what may be kept (decisions.md#D-07).
 */
const EVERY_ANSWER = { ...CORS, 'cache-control': 'no-store' };
/** A browser that came over TLS once comes over TLS only, for a year (RFC 6797). */
const HSTS = { 'strict-transport-security': 'max-age=31536000' };
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
  // The star means every header but `Authorization`, which must be named (Fetch standard).
  'access-control-allow-headers': '*, authorization, content-type, content-digest, signature, signature-input',
  'access-control-max-age': '86400',
};

/** The notes of hooks and routes on a request. */
const OF_REQUESTS = ['signedBy', 'paidBy', 'ofTill', 'processor', 'authenticated', 'rawBody'] as const;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route takes the form of a page instead of JSON. */
    takesForms?: true;
  }
  interface FastifyRequest {
    /** The condition for which the request was refused. */
    refusal: Condition | undefined;
  }
}

interface ServerParts {
  urls: PublicUrls;
  log: Logger;
  /** The limits. They are undefined when there are none. */
  limits?: RateLimits | undefined;
  timeouts?: ListenerTimeouts | undefined;
  caps?: ConnectionCaps | undefined;
  /**
   * The addresses of proxies whose `X-Forwarded-For` says where a request comes from. The node reads it from nobody
   * else.
   */
  trustedProxies?: readonly string[];
  /** The certificate and key (PEM) for https. Without them the server speaks plain http. */
  tls?: TlsContext | undefined;
  unread?: UnreadLimits;
  /**
   * Answers a person with a page. It gives undefined, and answers nothing, when a program reads the problem. Without it
   * everybody gets the problem as JSON.
   */
  refusalPage?: ((problem: ApiProblem, reply: FastifyReply) => Promise<FastifyReply> | undefined) | undefined;
}

/**
 * Makes the HTTP server for clients and other wallets, without routes yet: limits, raw bodies, CORS, request ids, the
 * error table and a log line for each answer. It never logs a URL or a header, because both can hold secrets.
 */
export function createPublicServer({
  urls,
  log,
  limits,
  timeouts = DEFAULT_TIMEOUTS,
  caps = capsWithin(FILES_NEEDED),
  trustedProxies = [],
  tls,
  unread,
  refusalPage,
}: ServerParts): PublicServer {
  const answer = answeringProblems({ urls, log, refusalPage });
  const unreadAnswers = new UnreadAnswers(unread);
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    requestTimeout: timeouts.request,
    serverFactory: serversOf(timeouts, tls),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    requestIdHeader: false,
    genReqId: newId,
    clientErrorHandler: (error, socket) => {
      // A declared proxy checks requests itself, and many clients come from its address.
      if (trustedProxies.length === 0) limits?.countFailure({ ip: socket.remoteAddress ?? '', paidBy: undefined });
      answerBrokenRequest(error, socket);
    },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...EVERY_ANSWER, 'x-request-id': request.id });
      const refusal = limits?.refuseUnread(request);
      if (refusal === undefined) limits?.countFailure(request);
      void answer(refusal ?? problemOf(error, request, log), reply);
    },
  }).withTypeProvider<ZodTypes>();

  capConnections(app.server, caps, trustedProxies.length === 0, () =>
    log.warn(caps, 'connections are refused, because too many are open at once'),
  );
  outliveRefusals(app.server, log);
  answerOddRequests(app);
  collectRoutes(app);
  useZodSchemas(app);
  app.decorate('rateLimits', limits);
  app.decorateRequest('refusal', undefined);
  for (const member of OF_REQUESTS) app.decorateRequest(member, undefined);
  keepRawBodies(app);

  app.addHook('onRequest', async (request, reply) => {
    unreadAnswers.watch(request, reply);
    reply.headers({ ...EVERY_ANSWER, 'x-request-id': request.id, ...(request.protocol === 'https' && HSTS) });
    const refusal = request.routeOptions.config.forPeers ? undefined : limits?.refuseUnread(request);
    if (refusal !== undefined) throw refusal;
    const answered = request.routeOptions.config.waits ? undefined : limits?.underWay();
    if (answered !== undefined) reply.raw.once('close', answered);
    requireReadable(request);
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      return await reply.status(204).headers(PREFLIGHT).send();
    }
  });
  // The body has been read by then. A client that sends it slowly keeps the processor free for others.
  app.addHook('preValidation', async (request) => limits?.begin(request));
  // A packet belongs to a payment under way, and a till to the shop. Everybody else has been promised nothing yet.
  app.addHook('preValidation', (request, reply, done) => {
    if (request.peer === undefined && request.ofTill !== true) reply.raw.once('close', asRefusable(done));
    else done();
  });
  app.addHook('onSend', async (request, { statusCode }) => {
    limits?.end(request);
    await limits?.holdBackRefusal(request, statusCode);
  });
  app.addHook('onResponse', async (request, reply) => {
    limits?.end(request);
    if (isFailure(request, reply.statusCode)) limits?.countFailure(request);
    const { method, url: route = 'unknown' } = request.routeOptions;
    const { client, grantId: grant } = request.authenticated ?? {};
    // Peers send many packets. The route says itself what is worth a line.
    const level = request.routeOptions.config.forPeers && request.peer !== undefined ? 'trace' : 'info';
    log[level]({
      requestId: request.id,
      method: method ?? request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      ...(client && { client: client.id, grant }),
    });
  });
  app.setNotFoundHandler(() => {
    throw new ApiProblem('not_found');
  });
  app.setErrorHandler((error, request, reply) => answer(problemOf(error, request, log), reply));
  return app;
}

/** Makes the function that answers refused requests. */
function answeringProblems({ urls, log, refusalPage }: Pick<ServerParts, 'urls' | 'log' | 'refusalPage'>) {
  return (problem: ApiProblem, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    // A client that is refused because it has no grant learns where to ask for one (decisions.md#D-38).
    if (problem.status === 401)
      reply.header('www-authenticate', problem.condition === 'invalid_peer_token' ? 'Bearer' : `GNAP as_uri=${urls.authServer}`);
    if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
    reply.request.refusal = problem.condition;
    log.debug({ requestId: reply.request.id, condition: problem.condition, words: problem.words }, 'refused');
    return (
      refusalPage?.(problem, reply) ??
      reply.status(problem.status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(problem.body)
    );
  };
}

/** Answers requests that Node would answer by itself without a request id, or would not answer. */
function answerOddRequests({ server }: FastifyInstance): void {
  // A server may ignore an expectation that it does not know (RFC 9110 §10.1.1), so the request is answered like any
  // other.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket: Socket) => answerBrokenRequest(new Error('CONNECT is for proxies'), socket));
}

/** @throws ApiProblem for a request that names two hosts or none, or whose body is encoded. */
function requireReadable({ raw, headers }: FastifyRequest): void {
  let hosts = 0;
  for (let at = 0; at < raw.rawHeaders.length; at += 2) if (raw.rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  // RFC 9112 §3.2.
  if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) throw new ApiProblem('malformed_http');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') throw new ApiProblem('unsupported_encoding');
}

/**
 * Bodies stay bytes, because signatures cover them as they came. The official client also names a content type on
 * requests without a body, so an empty body is no body, whatever its type (protocol-notes.md#PN-03).
 */
function keepRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body;
    if (body.length === 0) return done(null, undefined);
    const wanted = request.routeOptions.config.takesForms ? FORM_TYPE : JSON_TYPE;
    if (!wanted.test(request.headers['content-type'] ?? '')) return done(new ApiProblem('unsupported_media_type'));
    done(null, body);
  });
}

const JSON_TYPE = /^application\/json\s*(;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

const FRAMEWORK_CONDITIONS: Record<string, Condition> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_http',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  // This belongs to the method QUERY, which no endpoint takes.
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'not_found',
};

function problemOf(error: unknown, request: FastifyRequest, log: Logger): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = FRAMEWORK_CONDITIONS[code];
  if (known !== undefined) return new ApiProblem(known);
  if (error instanceof DatabaseBusy) return request.server.rateLimits?.overloaded(request) ?? new ApiProblem('busy');
  if (error instanceof BooksDamaged) return new ApiProblem('account_damaged');
  log.error({ requestId: request.id, route: request.routeOptions.url, err: error }, 'a request failed unexpectedly');
  return new ApiProblem(error instanceof NotStored || isDamage(error) ? 'unavailable' : 'internal', { details: { requestId: request.id } });
}
