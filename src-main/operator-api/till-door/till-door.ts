import { RPCHandler } from '@orpc/server/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from '../../../src-shared/zod.ts';
import { RateLimiter } from '../../platform/limits/rate-limiter.ts';
import { networkOf } from '../../platform/outbound-http/targets.ts';
import { isOwnPage } from '../console/console-gate.ts';
import { takeJsonOnly } from '../console/operator-bodies.ts';
import type { OperatorContext } from '../context.ts';
import { router } from '../router.ts';
import { doerOfTill, type PairedDevice } from '../tills/paired-device.ts';
import { tillError } from '../tills/till-guard.ts';
import { hideUnexpected } from '../unexpected.ts';
import { deviceCookie, deviceSecret } from './till-cookie.ts';
import { keepOthersOut, serveTillPage } from './till-page.ts';

/** How often an idle stream of changes sends a sign of life; see `operator-routes.ts`. */
const KEEP_ALIVE_MS = 500;

/** How often one network may open a pairing link. The secret has 256 bits: this spares look-ups, not guesses. */
const PAIRINGS = { perSecond: 0.2, burst: 12 };

const Pair = z.object({ secret: z.string().max(100) });

/** The header with the secret that only the page of the till has. */
const PAGE_SECRET = 'x-paydesk-session';

export interface TillListener {
  /** The folder of the built console. */
  rendererDir: string;
  /** How many processes share the limits. Without it there is one. */
  shares?: (() => number) | undefined;
  /** The door calls this for a request from the device of a till. */
  welcome(request: FastifyRequest, tillId: string): void;
}

/**
 * Serves paired tills below `/till/` of the public address: their page, the pairing of a device, and the operations
 * that the contract lets a till call. Nothing here looks at a cookie of the console, and the console at none of a till.
 */
export function serveTills(app: FastifyInstance, context: OperatorContext, listener: TillListener): void {
  // Fastify runs this when the listener opens. An error in it keeps the listener closed.
  app.register((scope, _options, done) => {
    keepOthersOut(scope);
    takeJsonOnly(scope);
    scope.setErrorHandler((error, _request, reply) => {
      // What Fastify or the public server refuses is answered as on every other path.
      if (!isBadBody(error)) throw error;
      return reply.code(400).send({ error: { code: 'bad_request' } });
    });
    servePairing(scope, context, listener);
    serveOperations(scope, context, listener);
    serveTillPage(scope, context, listener.rendererDir).then(() => done(), done);
  });
}

/** Whether the body of a request is no JSON; see {@link takeJsonOnly}. */
const isBadBody = (error: unknown): boolean =>
  error instanceof Error && !('code' in error) && 'statusCode' in error && error.statusCode === 400;

/** Takes a request from the till's own page only. @returns the public origin to which it was sent. */
function ownOrigin({ method, headers }: FastifyRequest, { urls }: OperatorContext): string | undefined {
  const one = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined);
  const site = urls.origins.find((origin) => origin === headers.origin) ?? urls.origin;
  const sent = {
    ...{ method, origin: headers.origin, fetchSite: one(headers['sec-fetch-site']), consoleHeader: one(headers['x-paydesk-console']) },
  };
  return isOwnPage(sent, site) ? site : undefined;
}

const refuse = async (reply: FastifyReply, status: number, code: string): Promise<FastifyReply> =>
  await reply.code(status).send({ error: { code } });

/** Exchanges the secret of a pairing link for a cookie, and a secret that the page keeps. */
function servePairing(app: FastifyInstance, context: OperatorContext, { shares }: TillListener): void {
  const asked = new RateLimiter(PAIRINGS, context.clock, shares);
  app.post('/till/pair', async (request, reply) => {
    const origin = ownOrigin(request, context);
    if (origin === undefined) return await refuse(reply, 403, 'foreign_origin');
    const wanted = Pair.safeParse(request.body);
    if (!wanted.success) return await refuse(reply, 400, 'bad_request');
    const wait = asked.take(networkOf(request.ip));
    if (wait > 0) return await refuse(reply.header('retry-after', Math.ceil(wait / 1_000)), 429, 'too_many_attempts');
    const paired = await context.tills.pair(wanted.data.secret, request.headers['user-agent'] ?? '');
    if (!paired.ok) return await refuse(reply, 403, paired.error);
    const { cookie, page } = paired.value;
    return await reply.code(201).header('set-cookie', deviceCookie(cookie, origin)).send({ pageSecret: page });
  });
}

function serveOperations(app: FastifyInstance, context: OperatorContext, { welcome }: TillListener): void {
  const rpc = new RPCHandler<OperatorContext>(router, { interceptors: [hideUnexpected], eventIteratorKeepAliveInterval: KEEP_ALIVE_MS });
  const devices = new WeakMap<FastifyRequest, PairedDevice>();
  const letIn = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const origin = ownOrigin(request, context);
    if (origin === undefined) return void (await refuse(reply, 403, 'foreign_origin'));
    const [cookie, page] = [deviceSecret(request.headers.cookie, origin), request.headers[PAGE_SECRET]];
    const found = cookie !== undefined && typeof page === 'string' ? await context.tills.find({ cookie, page }) : undefined;
    if (found?.ok !== true) {
      const error = tillError(found?.error ?? 'TILL_NOT_PAIRED');
      // In the words of an operation, so that the page reads the code as that of any other.
      return void (await reply.code(error.status).send({ json: error.toJSON() }));
    }
    devices.set(request, found.value);
    welcome(request, found.value.id);
  };
  app.post('/till/rpc/*', { onRequest: letIn }, async (request, reply) => {
    const till = devices.get(request);
    if (till === undefined) throw new Error('a request came in past the door');
    const device: OperatorContext = { ...context, role: 'cashier', till, doer: doerOfTill(till), caller: undefined };
    const { matched } = await rpc.handle(request, reply, { prefix: '/till/rpc', context: device });
    return matched ? reply : await refuse(reply, 404, 'not_found');
  });
}
