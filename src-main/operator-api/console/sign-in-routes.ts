import type { FastifyInstance } from 'fastify';
import { z } from '../../../src-shared/zod.ts';
import type { OperatorSessions } from '../people/sessions.ts';
import { endedCookie, sessionCookie } from './console-cookie.ts';
import type { ConsoleDoor } from './console-door.ts';
import { consoleLink } from './console-gate.ts';

const SignIn = z.object({ secret: z.string().max(100) });

/** Serves the requests that sign a browser in and out. */
export function serveSignIn(app: FastifyInstance, { door, sessions }: { door: ConsoleDoor; sessions: OperatorSessions }): void {
  /** Exchanges the secret of a link for a session: a cookie, and a secret that the page keeps. */
  app.post('/operator/session', { onRequest: door.letOwnPageIn }, async (request, reply) => {
    const wanted = SignIn.safeParse(request.body);
    if (!wanted.success) return await reply.code(400).send({ error: { code: 'bad_request' } });
    const signedIn = await sessions.redeem(wanted.data.secret, request.headers['user-agent'] ?? '');
    if (!signedIn.ok) return await reply.code(403).send({ error: { code: signedIn.error } });
    const { cookie, page } = signedIn.value;
    return await reply.code(201).header('set-cookie', sessionCookie(cookie, door.place.port)).send({ pageSecret: page });
  });

  /** Signs the browser out and ends the answers that are under way for its session. */
  app.delete('/operator/session', { onRequest: door.letOperatorIn }, async (request, reply) => {
    const caller = door.callerOf(request);
    if (caller.kind !== 'page') return await reply.code(404).send({ error: { code: 'not_found' } });
    await sessions.signOut(caller.session);
    return await reply.code(204).header('set-cookie', endedCookie(door.place.port)).send();
  });

  /**
   * Makes a console link. Only the owner's script may ask for one: a session cannot prolong itself, and a key cannot
   * become the owner.
   */
  app.post('/operator/links', { onRequest: door.letScriptsIn }, async (_request, reply) => {
    const { secret, expiresAt } = await sessions.createLink();
    return await reply.code(201).send({ url: consoleLink(door.place.url, secret), expiresAt: new Date(expiresAt).toISOString() });
  });
}
