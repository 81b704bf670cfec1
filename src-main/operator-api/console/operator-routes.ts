import { SmartCoercionPlugin } from '@orpc/json-schema';
import { OpenAPIHandler } from '@orpc/openapi/fastify';
import { RPCHandler } from '@orpc/server/fastify';
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { PART_BYTES } from '../../../src-shared/operator-contract/restore.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { OperatorContext } from '../context.ts';
import { doerOf } from '../people/persons.ts';
import { router } from '../router.ts';
import { hideUnexpected } from '../unexpected.ts';
import type { ConsoleDoor } from './console-door.ts';
import { answerFile } from './file-answers.ts';
import { describeOperations, schemaConverters } from './operator-document.ts';

/**
 * How often an idle stream of changes sends a sign of life. The console reports a lost connection when three are
 * missing.
 */
const KEEP_ALIVE_MS = 500;

/**
 * Serves the operator's operations over HTTP: for the console under `/operator/rpc`, and for scripts as REST under
 * `/operator/api`. `/operator/openapi.json` describes the REST operations.
 */
export function serveOperations(app: FastifyInstance, { door, context }: { door: ConsoleDoor; context: OperatorContext }): void {
  const gated = { onRequest: door.letOperatorIn };
  const shared = { interceptors: [hideUnexpected], eventIteratorKeepAliveInterval: KEEP_ALIVE_MS };
  const rpc = new RPCHandler<OperatorContext>(router, shared);
  const rest = new OpenAPIHandler<OperatorContext>(router, {
    ...shared,
    interceptors: [...shared.interceptors, answerFile],
    plugins: [new SmartCoercionPlugin({ schemaConverters })],
  });
  /** A person at the console has a session. Only scripts and software are named as callers. */
  const contextOf = (request: FastifyRequest): OperatorContext => {
    const caller = door.callerOf(request);
    if (caller.kind === 'script') return { ...context, role: 'owner', caller: 'script' };
    if (caller.kind === 'page') {
      const { session, site } = caller;
      const isStillIn = (reader: Reader) => context.sessions.isStillIn(reader, session);
      const { isLimited, byPin, person } = session;
      const doer = doerOf(person, request.headers['user-agent']);
      return { ...context, role: person.role, isStillIn, isLimited, byPin, session: session.id, site, doer };
    }
    const { id, name, role, narrowed, isStillIn } = caller.key;
    return { ...context, role, narrowed, isStillIn, caller: 'script', doer: { kind: 'key', id, name, role } };
  };
  const notFound = { error: { code: 'not_found' } };
  const answerRpc: RouteHandlerMethod = async (request, reply) => {
    const { matched } = await rpc.handle(request, reply, { prefix: '/operator/rpc', context: contextOf(request) });
    return matched ? reply : await reply.code(404).send(notFound);
  };
  const answerRest: RouteHandlerMethod = async (request, reply) => {
    const { matched } = await rest.handle(request, reply, { prefix: '/operator/api', context: contextOf(request) });
    return matched ? reply : await reply.code(404).send(notFound);
  };
  app.all('/operator/rpc/*', gated, answerRpc);
  app.all('/operator/api/*', gated, answerRest);
  // Only the parts of a backup and the shop's logo are larger than the usual limit for bodies.
  const large = { ...gated, bodyLimit: 2 * PART_BYTES };
  app.post('/operator/rpc/restore/part', large, answerRpc);
  app.put('/operator/api/restore/part', large, answerRest);
  app.post('/operator/rpc/shop/setLogo', large, answerRpc);
  app.post('/operator/api/shop/logo', large, answerRest);
  let document: Promise<unknown> | undefined;
  app.get('/operator/openapi.json', gated, async () => {
    document ??= describeOperations(context.about.version);
    return await document;
  });
}
