import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Assertion } from '../../../src-shared/people/passkey-answers.ts';
import { z } from '../../../src-shared/zod.ts';
import { networkOf } from '../../platform/outbound-http/targets.ts';
import { RateLimiter } from '../../platform/rate-limiter.ts';
import type { Result } from '../../platform/result.ts';
import type { OperatorContext } from '../context.ts';
import type { Browser, SessionSecrets } from '../people/sessions.ts';
import { isSetUpSecret, setUpSecret, waitsForSetUp } from '../people/set-up.ts';
import type { PasswordRefusal } from '../sign-in/passwords.ts';
import { endedCookie, sessionCookie } from './console-cookie.ts';
import type { ConsoleDoor } from './console-door.ts';
import { consoleLink } from './console-gate.ts';

/** By what a browser wants to be signed in: the secret of a link, a passkey, or a password with a code. */
const SignIn = z.union([
  z.object({ secret: z.string().max(100) }),
  z.object({ passkey: Assertion }),
  z.object({ setUpCode: z.string().max(100) }),
  z.object({ signInName: z.string().max(100), password: z.string().max(1024), code: z.string().max(40) }),
]);

/**
 * How often one network may ask for a challenge or try a setup code. A person does so a few times a minute, and a shop
 * may sit behind one address. It spares writes and guesses: what lets somebody in is decided in the database.
 */
const ASKED = { perSecond: 1, burst: 60 };

type Refused = 'wrong_secret' | 'refused' | PasswordRefusal;

interface Parts {
  door: ConsoleDoor;
  context: Pick<OperatorContext, 'sessions' | 'passkeys' | 'passwords' | 'clock' | 'database'>;
}

/** Serves the requests that sign a browser in and out. */
export function serveSignIn(app: FastifyInstance, { door, context }: Parts): void {
  const { sessions, passkeys, passwords } = context;
  const asked = new RateLimiter(ASKED, context.clock);
  const tooMany = ({ ip }: FastifyRequest): PasswordRefusal | undefined => {
    const wait = asked.take(networkOf(ip));
    return wait === 0 ? undefined : { kind: 'too_many_attempts', secondsLeft: Math.ceil(wait / 1_000) };
  };

  /** Says by what somebody can sign in here, before anybody has. */
  app.get('/operator/ways-in', { onRequest: door.letOwnPageIn }, async (request) => {
    const site = door.siteOf(request);
    const [passkey, password] = await Promise.all([passkeys.anyAt(site), passwords.any()]);
    const setUp = site.isRemote && (await waitsForSetUp(context.database.read, context.clock.now()));
    return { passkey, password, setUp, isRemote: site.isRemote };
  });

  app.post('/operator/passkey-challenges', { onRequest: door.letOwnPageIn }, async (request, reply) => {
    const refused = tooMany(request);
    if (refused !== undefined) return await refuse(reply, refused);
    const begun = await passkeys.beginSignIn(door.siteOf(request));
    return begun.ok ? await reply.code(201).send(begun.value) : await reply.code(409).send({ error: { code: begun.error } });
  });

  /** Only the first visit over the network has such a code. The operator may have chosen a short one. */
  const bySetUpCode = async (code: string, request: FastifyRequest, browser: Browser): Promise<Result<SessionSecrets, Refused>> => {
    const refused = browser.site.isRemote ? tooMany(request) : 'wrong_secret';
    return refused === undefined ? await sessions.redeem(setUpSecret(code), browser) : { ok: false, error: refused };
  };

  const signIn = async (request: FastifyRequest, wanted: z.infer<typeof SignIn>): Promise<Result<SessionSecrets, Refused>> => {
    const browser = { userAgent: request.headers['user-agent'] ?? '', site: door.siteOf(request) };
    if ('secret' in wanted) {
      // A setup code has one way in, which is counted.
      return isSetUpSecret(wanted.secret) ? { ok: false, error: 'wrong_secret' } : await sessions.redeem(wanted.secret, browser);
    }
    if ('setUpCode' in wanted) return await bySetUpCode(wanted.setUpCode, request, browser);
    if ('passkey' in wanted) return await passkeys.signIn(wanted.passkey, browser);
    return await passwords.signIn(wanted, { ...browser, address: request.ip });
  };

  /** Exchanges what lets somebody in for a session: a cookie, and a secret that the page keeps. */
  app.post('/operator/session', { onRequest: door.letOwnPageIn }, async (request, reply) => {
    const wanted = SignIn.safeParse(request.body);
    if (!wanted.success) return await reply.code(400).send({ error: { code: 'bad_request' } });
    const signedIn = await signIn(request, wanted.data);
    if (!signedIn.ok) return await refuse(reply, signedIn.error);
    const { cookie, page } = signedIn.value;
    return await reply
      .code(201)
      .header('set-cookie', sessionCookie(cookie, door.siteOf(request), door.port))
      .send({ pageSecret: page });
  });

  /** Signs the browser out and ends the answers that are under way for its session. */
  app.delete('/operator/session', { onRequest: door.letOperatorIn }, async (request, reply) => {
    const caller = door.callerOf(request);
    if (caller.kind !== 'page') return await reply.code(404).send({ error: { code: 'not_found' } });
    await sessions.signOut(caller.session);
    return await reply.code(204).header('set-cookie', endedCookie(caller.site, door.port)).send();
  });

  /**
   * Makes a console link. Only the owner's script may ask for one: a session cannot prolong itself, and a key cannot
   * become the owner.
   */
  app.post('/operator/links', { onRequest: door.letScriptsIn }, async (_request, reply) => {
    const { secret, expiresAt } = await sessions.createLink();
    return await reply.code(201).send({ url: consoleLink(door.url, secret), expiresAt: new Date(expiresAt).toISOString() });
  });
}

async function refuse(reply: FastifyReply, refused: Refused): Promise<FastifyReply> {
  if (typeof refused === 'string') return await reply.code(403).send({ error: { code: refused } });
  if (refused.kind === 'busy')
    return await reply
      .code(503)
      .header('retry-after', 1)
      .send({ error: { code: refused.kind } });
  if (refused.kind === 'wrong') return await reply.code(403).send({ error: { code: refused.kind } });
  const { kind: code, secondsLeft } = refused;
  return await reply.code(429).header('retry-after', secondsLeft).send({ error: { code, secondsLeft } });
}
