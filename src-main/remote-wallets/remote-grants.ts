import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Core } from '../platform/core.ts';
import { prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { JsonAnswer, OnBehalf } from '../platform/outbound-http/outbound-http.ts';
import { isAbandoned } from '../platform/replicas/holders.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import type { Seal } from '../platform/secrets/seal.ts';
import { type AccessToken, ErrorDocument, TokenDocument } from './documents.ts';
import { remoteGrants } from './tables.ts';
import { gaveNoAnswer, type NoAnswer, type WalletAnswer, type WalletHttp, whyNoAnswer } from './wallet-http.ts';

/** A right that other wallets give without asking a person (protocol-notes.md#PN-08). */
export interface WantedRight {
  type: 'incoming-payment' | 'quote';
  actions: readonly ('create' | 'read' | 'read-all')[];
}

/** The use of a grant: which one, and where. */
export interface GrantUse {
  /** URL of the authorization server, as the other wallet wrote it. */
  authServer: string;
  /** The own wallet address that asks. */
  walletAddressId: string;
  right: WantedRight;
  /**
   * The URL to which the token goes. Each resource server gets tokens of its own, so that none learns or wears out
   * another's.
   */
  resource: string;
  /** The one for whom the node asks the authorization server. It is a checkout unless given. */
  behalf?: OnBehalf;
}

/**
 * The reason why there is no token. `refused`: the authorization server gives no such grant, or resource servers do not
 * accept its tokens. `unknown_key`: the authorization server does not know the key with which this node signs. The
 * others: there was no usable answer.
 */
export type GrantProblem = NoAnswer | 'refused' | 'unknown_key';

/** Sends the request for which a token is needed. */
type SendWith = (token: string) => Promise<WalletAnswer>;

type Stored = typeof remoteGrants.$inferSelect;
type Key = Pick<Stored, 'authServer' | 'walletAddressId' | 'access'>;

/**
 * A process may exchange a token for this long: longer than it takes to ask the authorization server twice, up to 5 s
 * each.
 */
const CLAIM_MS = 15_000;
/** How often a process looks whether another one has exchanged the token, in milliseconds. */
const LOOK_AGAIN_MS = 50;

const $ = sql.placeholder;
const byKey = prepared((reader: Reader) =>
  reader
    .select()
    .from(remoteGrants)
    .where(
      and(
        eq(remoteGrants.authServer, $('authServer')),
        eq(remoteGrants.walletAddressId, $('walletAddressId')),
        eq(remoteGrants.access, $('access')),
      ),
    )
    .prepare(),
);

interface Parts extends Pick<Core, 'database' | 'clock'> {
  http: WalletHttp;
  seal: Seal;
  /** The URL of an own wallet address. Other wallets know that address as a client by this URL. */
  clientUrl: (walletAddressId: string) => Promise<string | undefined>;
  /** The process that claims; see `OwnReplica`. Without a name no other process works on these books. */
  holder?: string;
}

/**
 * Grants at other wallets. The node asks for a grant when it first needs it, keeps it encrypted, rotates its token when
 * it has run out, and replaces the grant when the token cannot be rotated. One process at a time exchanges a token,
 * because its authorization server takes the old one only once.
 */
export class RemoteGrants {
  readonly #parts: Parts;
  /** The exchange that goes on for each grant, at most one at a time. Calls that come meanwhile share its outcome. */
  readonly #flights = new Map<string, Promise<Result<string, GrantProblem>>>();
  readonly #holder: string;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#holder = parts.holder ?? newId();
  }

  /**
   * Sends a request with the token of a grant. When the server accepts the token no longer, it renews the token once,
   * and sends the request again. So there are at most two requests to the resource, one rotation and one new grant,
   * whatever the servers answer.
   * @returns the resource's answer, which may be a refusal of another kind, or why there was no token to ask with.
   */
  async use(use: GrantUse, send: SendWith): Promise<Result<JsonAnswer, GrantProblem>> {
    const first = await this.#token(use, undefined);
    if (!first.ok) return first;
    const answer = await send(first.value);
    if (!wantsNewToken(answer)) return answerOf(answer);
    const second = await this.#token(use, first.value);
    if (!second.ok) return second;
    const again = await send(second.value);
    if (!wantsNewToken(again)) return answerOf(again);
    // A server that gives tokens which nobody accepts gets a fresh start the next time, and no third chance now.
    await this.#forget(keyOf(use), second.value);
    return refuse('refused');
  }

  /** Gets a token, or finds one, and sends nothing with it. @returns why there is none. */
  async check(use: GrantUse): Promise<Result<void, GrantProblem>> {
    const token = await this.#token(use, undefined);
    return token.ok ? ok(undefined) : token;
  }

  /** The stored token, if it has not ended. It asks nobody for another. */
  async tokenAtHand(use: GrantUse): Promise<string | undefined> {
    const key = keyOf(use);
    const [stored] = await byKey(this.#parts.database.read).execute(key);
    return stored === undefined || this.#hasEnded(stored) ? undefined : this.#parts.seal.open(stored.token, purposeOf(key));
  }

  #hasEnded({ expiresAt }: Stored): boolean {
    return expiresAt !== null && this.#parts.clock.now() >= expiresAt;
  }

  /**
   * Gets a token.
   * @param dead a token that a server just refused. A newer one, which another exchange may have brought, is given out
   * as it is.
   */
  async #token(use: GrantUse, dead: string | undefined): Promise<Result<string, GrantProblem>> {
    const key = keyOf(use);
    const name = JSON.stringify(key);
    let flight = this.#flights.get(name);
    if (flight === undefined) {
      flight = this.#provide(use, key, dead).finally(() => this.#flights.delete(name));
      this.#flights.set(name, flight);
      return await flight;
    }
    const shared = await flight;
    return shared.ok && shared.value === dead ? await this.#token(use, dead) : shared;
  }

  async #provide(use: GrantUse, key: Key, dead: string | undefined): Promise<Result<string, GrantProblem>> {
    for (;;) {
      const [stored] = await byKey(this.#parts.database.read).execute(key);
      if (stored === undefined) return await this.#request(use, key, undefined);
      const token = this.#parts.seal.open(stored.token, purposeOf(key));
      if (token !== undefined && !this.#hasEnded(stored) && token !== dead) return ok(token);
      if (await this.#claim(stored)) return await this.#exchange(use, key, stored, token);
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** Exchanges a token that this process has claimed. */
  async #exchange(use: GrantUse, key: Key, stored: Stored, token: string | undefined): Promise<Result<string, GrantProblem>> {
    try {
      const rotated = token === undefined ? refuse('refused' as const) : await this.#rotate(use, key, stored, token);
      if (rotated.ok || rotated.error !== 'refused') return rotated;
      return await this.#request(use, key, stored);
    } finally {
      await this.#parts.database.write((tx) => tx.update(remoteGrants).set({ claimedUntil: null }).where(isStill(stored)));
    }
  }

  /** Claims the exchange of a token. @returns false when another process has claimed or exchanged it. */
  async #claim(stored: Stored): Promise<boolean> {
    const now = this.#parts.clock.now();
    const claimed = await this.#parts.database.write((tx) =>
      tx
        .update(remoteGrants)
        .set({ claimedUntil: now + CLAIM_MS, holder: this.#holder })
        .where(and(isStill(stored), isFree(tx, now)))
        .returning({ access: remoteGrants.access }),
    );
    return claimed.length > 0;
  }

  async #rotate(use: GrantUse, key: Key, stored: Stored, token: string): Promise<Result<string, GrantProblem>> {
    const at = this.#parts.clock.now();
    const { walletAddressId, behalf } = use;
    const answer = await this.#parts.http.send({ ...behalf, method: 'POST', url: stored.manageUrl, token, walletAddressId });
    return await this.#keep(key, stored, answer, at);
  }

  async #request(use: GrantUse, key: Key, stored: Stored | undefined): Promise<Result<string, GrantProblem>> {
    const { authServer, walletAddressId, right, behalf } = use;
    const client = await this.#parts.clientUrl(walletAddressId);
    if (client === undefined) return refuse('refused');
    const at = this.#parts.clock.now();
    const body = { access_token: { access: [{ type: right.type, actions: right.actions }] }, client };
    const answer = await this.#parts.http.send({ ...behalf, method: 'POST', url: authServer, body, walletAddressId });
    return saysUnknownKey(answer) ? refuse('unknown_key') : await this.#keep(key, stored, answer, at);
  }

  /**
   * Stores a new token in place of the one that was exchanged. A token that another process has stored meanwhile stays.
   * @param at the time at which the node asked for the token. A token may live shorter than it says, never longer.
   */
  async #keep(key: Key, before: Stored | undefined, answer: WalletAnswer, at: number): Promise<Result<string, GrantProblem>> {
    if (gaveNoAnswer(answer)) return refuse(whyNoAnswer(answer));
    const document = answer.ok && answer.value.status === 200 ? TokenDocument.safeParse(answer.value.body) : undefined;
    if (document === undefined) return refuse('refused');
    if (!document.success || !isManagedBy(key.authServer, document.data.access_token)) return refuse('refused');
    const { value, manage, expires_in } = document.data.access_token;
    const row = {
      ...key,
      token: this.#parts.seal.seal(value, purposeOf(key)),
      manageUrl: manage,
      expiresAt: expires_in === undefined ? null : at + expires_in * 1_000,
      updatedAt: at,
      claimedUntil: null,
      holder: null,
    };
    await this.#parts.database.write(async (tx) => {
      if (before === undefined) await tx.insert(remoteGrants).values(row).onConflictDoNothing();
      else await tx.update(remoteGrants).set(row).where(isStill(before));
    });
    return ok(value);
  }

  /** Forgets a grant, unless another process has exchanged its token since. */
  async #forget(key: Key, token: string): Promise<void> {
    const [stored] = await byKey(this.#parts.database.read).execute(key);
    if (stored === undefined || this.#parts.seal.open(stored.token, purposeOf(key)) !== token) return;
    await this.#parts.database.write((tx) => tx.delete(remoteGrants).where(isStill(stored)));
  }
}

/** The condition that the same token is still stored. Each is sealed anew, so that its sealed form names it. */
const isStill = ({ authServer, walletAddressId, access, token }: Stored): SQL | undefined =>
  and(
    eq(remoteGrants.authServer, authServer),
    eq(remoteGrants.walletAddressId, walletAddressId),
    eq(remoteGrants.access, access),
    eq(remoteGrants.token, token),
  );

/** The condition that no living process exchanges the token at that moment. */
const isFree = (tx: Tx, now: number): SQL | undefined =>
  or(isNull(remoteGrants.claimedUntil), lte(remoteGrants.claimedUntil, now), isAbandoned(tx, remoteGrants.holder));

function keyOf({ authServer, walletAddressId, right, resource }: GrantUse): Key {
  const { origin } = new URL(resource);
  return { authServer, walletAddressId, access: `${right.type}: ${right.actions.join(' ')} at ${origin}` };
}

const purposeOf = ({ authServer, walletAddressId, access }: Key): string =>
  JSON.stringify(['remote-grant', authServer, walletAddressId, access]);

/**
 * Whether the server that gave a token also manages it. Otherwise a hostile server could name a token it has seen, and
 * another server's URL, and have this node's signature put under a request to rotate or revoke it.
 */
const isManagedBy = (authServer: string, { manage }: AccessToken): boolean => new URL(manage).origin === new URL(authServer).origin;

/**
 * Whether the answer says that the token is no longer accepted: 401, or what the reference implementation says of
 * tokens that have run out (protocol-notes.md#PN-29).
 */
function wantsNewToken(answer: WalletAnswer): boolean {
  if (!answer.ok) return false;
  if (answer.value.status === 401) return true;
  const said = answer.value.status === 403 ? ErrorDocument.safeParse(answer.value.body) : undefined;
  return said?.success === true && /inactive token/i.test(said.data.error.description ?? '');
}

/** Whether an authorization server does not accept the client or its signature (RFC 9635 §3.6). */
function saysUnknownKey(answer: WalletAnswer): boolean {
  if (!answer.ok || answer.value.status < 400 || answer.value.status >= 500) return false;
  return answer.value.status === 401 || ErrorDocument.safeParse(answer.value.body).data?.error.code === 'invalid_client';
}

const answerOf = (answer: WalletAnswer): Result<JsonAnswer, GrantProblem> => (answer.ok ? answer : refuse(whyNoAnswer(answer)));
