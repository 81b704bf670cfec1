import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Assertion } from '../../../src-shared/people/passkey-answers.ts';
import { z } from '../../../src-shared/zod.ts';
import { RateLimiter } from '../../platform/limits/rate-limiter.ts';
import { networkOf } from '../../platform/outbound-http/targets.ts';
import type { Result } from '../../platform/result.ts';
import type { OperatorContext } from '../context.ts';
import { type BrowserSecrets, type KnownBrowser, newBrowser } from '../people/known-browsers.ts';
import type { Browser, SessionSecrets } from '../people/sessions.ts';
import { isSetUpSecret, setUpSecret, waitsForSetUp } from '../people/set-up.ts';
import type { PasswordRefusal } from '../sign-in/passwords.ts';
import type { PinRefusal } from '../sign-in/pins.ts';
import { browserCookie, browserSecret, endedCookie, sessionCookie } from './console-cookie.ts';
import type { ConsoleDoor } from './console-door.ts';
import { consoleLink } from './console-gate.ts';

/** The proof with which a browser signs in: the secret of a link, a passkey, a password with a code, or a PIN. */
const SignIn = z.union([
  z.object({ secret: z.string().max(100) }),
  z.object({ passkey: Assertion }),
  z.object({ setUpCode: z.string().max(100) }),
  z.object({ signInName: z.string().max(100), password: z.string().max(1024), code: z.string().max(40) }),
  z.object({ personId: z.string().max(100), pin: z.string().regex(/^[0-9]{6}$/) }),
]);

/** The header with the second secret of a known browser, which only the console's page has. */
const BROWSER_SECRET = 'x-paydesk-browser';

/**
 * The rate at which one network may ask for a challenge or try a setup code. A person does so a few times a minute, and
 * a shop may sit behind one address. It spares writes and guesses: the database decides whom it lets in.
 */
const ASKED = { perSecond: 1, burst: 60 };

type Refused = 'wrong_secret' | 'refused' | PasswordRefusal | PinRefusal;

interface Parts {
  door: ConsoleDoor;
  context: Pick<OperatorContext, 'sessions' | 'passkeys' | 'passwords' | 'pins' | 'knownBrowsers' | 'clock' | 'database'>;
  /** How many processes run the node now. */
  shares: (() => number) | undefined;
}

/** Serves the requests that sign a browser in and out. */
export function serveSignIn(app: FastifyInstance, { door, context, shares }: Parts): void {
  const { sessions, passkeys, passwords, pins, knownBrowsers } = context;
  const asked = new RateLimiter(ASKED, context.clock, shares);
  const tooMany = ({ ip }: FastifyRequest): PasswordRefusal | undefined => {
    const wait = asked.take(networkOf(ip));
    return wait === 0 ? undefined : { kind: 'too_many_attempts', secondsLeft: Math.ceil(wait / 1_000) };
  };

  /** The browser that asks, with its secrets. It is undefined when the node does not know it. */
  const knownTo = async (request: FastifyRequest): Promise<{ row: KnownBrowser; secrets: BrowserSecrets } | undefined> => {
    const site = door.siteOf(request);
    const cookie = browserSecret(request.headers.cookie, site, door.port);
    const page = request.headers[BROWSER_SECRET];
    if (cookie === undefined || typeof page !== 'string') return undefined;
    const row = await knownBrowsers.find({ cookie, page }, site);
    return row && { row, secrets: { cookie, page } };
  };

  /** Tells the ways in which somebody can sign in here, before anybody has, and who has done so in this browser. */
  app.get('/operator/ways-in', { onRequest: door.letOwnPageIn }, async (request) => {
    const site = door.siteOf(request);
    const [passkey, password] = await Promise.all([passkeys.anyAt(site), passwords.any()]);
    const setUp = site.isRemote && (await waitsForSetUp(context.database.read, context.clock.now()));
    // The names are for whoever takes over by a PIN, and over the network nobody does.
    const known = site.isRemote ? undefined : await knownTo(request);
    const people = known === undefined ? [] : await knownBrowsers.peopleIn(known.row.id);
    return { passkey, password, setUp, isRemote: site.isRemote, people };
  });

  app.post('/operator/passkey-challenges', { onRequest: door.letOwnPageIn }, async (request, reply) => {
    const refused = tooMany(request);
    if (refused !== undefined) return await refuse(reply, refused);
    const begun = await passkeys.beginSignIn(door.siteOf(request));
    return begun.ok ? await reply.code(201).send(begun.value) : await reply.code(409).send({ error: { code: begun.error } });
  });

  /**
   * Signs in by the setup code, which only the first visit over the network has. The operator may have chosen a short
   * one.
   */
  const bySetUpCode = async (code: string, request: FastifyRequest, browser: Browser): Promise<Result<SessionSecrets, Refused>> => {
    const refused = browser.site.isRemote ? tooMany(request) : 'wrong_secret';
    return refused === undefined ? await sessions.redeem(setUpSecret(code), browser) : { ok: false, error: refused };
  };

  /**
   * Signs in by a PIN, which works only in a browser that the node knows. It counts the network, and each try for the
   * person.
   */
  const byPin = async (typed: { personId: string; pin: string }, request: FastifyRequest, browser: Browser) => {
    const refused = tooMany(request);
    return refused === undefined ? await pins.signIn(typed, browser) : { ok: false as const, error: refused };
  };

  const signIn = async (
    request: FastifyRequest,
    wanted: z.infer<typeof SignIn>,
    browser: Browser,
  ): Promise<Result<SessionSecrets, Refused>> => {
    if ('secret' in wanted) {
      // A setup code has one way in, which is counted.
      return isSetUpSecret(wanted.secret) ? { ok: false, error: 'wrong_secret' } : await sessions.redeem(wanted.secret, browser);
    }
    if ('setUpCode' in wanted) return await bySetUpCode(wanted.setUpCode, request, browser);
    if ('passkey' in wanted) return await passkeys.signIn(wanted.passkey, browser);
    if ('signInName' in wanted) return await passwords.signIn(wanted, { ...browser, address: request.ip });
    return { ok: false, error: 'wrong_secret' };
  };

  /**
   * Exchanges a proof for a session: a cookie, and a secret that the page keeps. Two more secrets let the node know the
   * browser again.
   */
  app.post('/operator/session', { onRequest: door.letOwnPageIn }, async (request, reply) => {
    const wanted = SignIn.safeParse(request.body);
    if (!wanted.success) return await reply.code(400).send({ error: { code: 'bad_request' } });
    const [site, userAgent] = [door.siteOf(request), request.headers['user-agent'] ?? ''];
    const known = await knownTo(request);
    const { row, secrets } = known ?? newBrowser(site, userAgent, context.clock.now());
    const signedIn =
      'pin' in wanted.data
        ? await byPin(wanted.data, request, { userAgent, site, known: known?.row })
        : await signIn(request, wanted.data, { userAgent, site, known: { ...row, userAgent } });
    if (!signedIn.ok) return await refuse(reply, signedIn.error);
    const { cookie, page } = signedIn.value;
    const cookies = [sessionCookie(cookie, site, door.port), browserCookie(secrets.cookie, site, door.port)];
    return await reply.code(201).header('set-cookie', cookies).send({ pageSecret: page, browserSecret: secrets.page });
  });

  /** Signs the browser out and ends the answers that are under way for its session. */
  app.delete('/operator/session', { onRequest: door.letOperatorIn }, async (request, reply) => {
    const caller = door.callerOf(request);
    if (caller.kind !== 'page') return await reply.code(404).send({ error: { code: 'not_found' } });
    await sessions.signOut(caller.session, request.headers['user-agent']);
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
  if (refused.kind === 'wrong_pin') return await reply.code(403).send({ error: { code: refused.kind, triesLeft: refused.triesLeft } });
  if (refused.kind !== 'too_many_attempts') return await reply.code(403).send({ error: { code: refused.kind } });
  const { kind: code, secondsLeft } = refused;
  return await reply.code(429).header('retry-after', secondsLeft).send({ error: { code, secondsLeft } });
}
