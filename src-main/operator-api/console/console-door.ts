import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '../../platform/core.ts';
import { type ApiKeys, isApiKey, type KeyCaller } from '../people/api-keys.ts';
import type { OperatorSessions, Session } from '../people/sessions.ts';
import type { Site } from '../people/site.ts';
import { sessionSecret } from './console-cookie.ts';
import { isOwnPage, isOwnScript, type RequestOrigin } from './console-gate.ts';
import { ConsoleSites } from './console-sites.ts';
import { isOperatorToken } from './operator-token.ts';

/**
 * The sender of a request: a script with the operator's token, the shop's own software with a key, or the console's
 * page in a browser that is signed in.
 */
type Caller = { kind: 'script' } | { kind: 'software'; key: KeyCaller } | { kind: 'page'; session: Session; site: Site };

/** The header with the secret that only the console's page has. */
const PAGE_SECRET = 'x-paydesk-session';

const NOT_OPEN = new ConsoleSites({ host: '127.0.0.1', port: 0, url: '' });

interface Parts extends Pick<Core, 'database'> {
  sessions: OperatorSessions;
  apiKeys: ApiKeys;
}

/** Lets the operator in and nobody else. Its methods are Fastify hooks. A hook answers a refused request at once. */
export class ConsoleDoor {
  readonly #parts: Parts;
  readonly #callers = new WeakMap<FastifyRequest, Caller>();
  /** The answers under way, with the id of their session. Streams of changes stay open for hours. */
  readonly #answers = new Map<FastifyReply['raw'], string>();
  #sites = NOT_OPEN;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Ends the streams of sessions that end. @returns a function that stops this. */
  turnOutEnded(): () => void {
    return this.#parts.sessions.onEnded((ended) => {
      // An answer that has not begun, such as the one to the sign-out, tells nothing more than that it was done.
      for (const [raw, id] of this.#answers) if (id === ended && raw.headersSent) raw.destroy();
    });
  }

  /** Names the addresses of the console. Until this is called, the door refuses every host name. */
  open(sites: ConsoleSites): void {
    this.#sites = sites;
  }

  get port(): number {
    return this.#sites.port;
  }

  get url(): string {
    return this.#sites.url;
  }

  /** The site to which a request was sent that {@link refuseOtherNames} let pass. */
  siteOf(request: FastifyRequest): Site {
    const site = this.#sites.of(request);
    if (site === undefined) throw new Error('a request came in past the names');
    return site;
  }

  /** The sender of a request that {@link letOperatorIn} let pass. */
  callerOf(request: FastifyRequest): Caller {
    const caller = this.#callers.get(request);
    if (caller === undefined) throw new Error('a request came in past the door');
    return caller;
  }

  readonly refuseOtherNames = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const site = this.#sites.of(request);
    if (site === undefined) return await refuse(reply, 421, 'foreign_host');
    // Once a browser came over TLS it comes so for a year (RFC 6797).
    if (site.isRemote) reply.header('strict-transport-security', 'max-age=31536000');
  };

  readonly letOwnPageIn = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isOwnPage(originOf(request), this.siteOf(request).origin)) await refuse(reply, 403, 'foreign_origin');
  };

  readonly letOperatorIn = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { authorization } = request.headers;
    const site = this.siteOf(request);
    // A request with a token is judged by the token alone. A cookie in the same request is not looked at.
    const isOwn = (authorization === undefined ? isOwnPage : isOwnScript)(originOf(request), site.origin);
    if (!isOwn) return await refuse(reply, 403, 'foreign_origin');
    // Over the network only a person gets in who has shown a passkey, or a password with a code.
    if (authorization !== undefined && site.isRemote) return await refuse(reply, 403, 'not_allowed');
    const caller = authorization === undefined ? await this.#page(request, site) : await this.#script(authorization);
    if (caller === undefined) return await refuse(reply, 401, 'not_signed_in');
    this.#callers.set(request, caller);
    if (caller.kind === 'page') this.#follow(reply, caller.session);
  };

  /** Lets in scripts with the owner's token. Software with a key is not the owner, whatever its role. */
  readonly letScriptsIn = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { authorization } = request.headers;
    if (authorization === undefined) return await refuse(reply, 401, 'not_signed_in');
    await this.letOperatorIn(request, reply);
    if (!reply.sent && this.callerOf(request).kind !== 'script') await refuse(reply, 403, 'not_allowed');
  };

  async #script(authorization: string): Promise<Caller | undefined> {
    const token = /^Bearer ([A-Za-z0-9_-]{43,60})$/i.exec(authorization)?.[1];
    if (token !== undefined && isApiKey(token)) {
      const key = await this.#parts.apiKeys.find(token);
      return key === undefined ? undefined : { kind: 'software', key };
    }
    return token !== undefined && (await isOperatorToken(this.#parts.database, token)) ? { kind: 'script' } : undefined;
  }

  async #page(request: FastifyRequest, site: Site): Promise<Caller | undefined> {
    const cookie = sessionSecret(request.headers.cookie, site, this.port);
    const page = request.headers[PAGE_SECRET];
    if (cookie === undefined || typeof page !== 'string') return undefined;
    const session = await this.#parts.sessions.find({ cookie, page }, site);
    return session === undefined ? undefined : { kind: 'page', session, site };
  }

  #follow({ raw }: FastifyReply, session: Session): void {
    this.#answers.set(raw, session.id);
    raw.once('close', () => this.#answers.delete(raw));
  }
}

async function refuse(reply: FastifyReply, status: 401 | 403 | 421, code: string): Promise<void> {
  await reply.code(status).send({ error: { code } });
}

function originOf({ method, headers }: FastifyRequest): RequestOrigin {
  const one = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined);
  return {
    method,
    origin: headers.origin,
    fetchSite: one(headers['sec-fetch-site']),
    consoleHeader: one(headers['x-paydesk-console']),
  };
}
