import { and, eq, sql } from 'drizzle-orm';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { type Client, clientOf } from '../clients/clients.ts';
import { appendGrantEvent, type Grant, hasExpired } from '../grant-rows.ts';
import type { WireAccess } from '../rights/wire-access.ts';
import { hashSecret } from '../secrets.ts';
import { accessTokens, grants, isActive } from '../tables.ts';
import { RETRY_MS, type RetrySeals } from './retry-seals.ts';

export type AccessToken = typeof accessTokens.$inferSelect;

/** The facts of a token, which the node tells its client one time. */
export interface IssuedToken {
  id: string;
  value: string;
  /** The life of the token, in seconds. */
  expiresIn: number;
  access: readonly WireAccess[];
}

/**
 * The token of a management URL, whose value the client has shown. The caller still has to verify the client's
 * signature.
 */
interface ManagedToken {
  id: string;
  grantId: string;
  client: Client;
  /** Whether the shown value belongs to this token. Otherwise it belongs to a later one of the same grant. */
  own: boolean;
}

/** A token value, made before the write that stores it. */
export interface FreshToken {
  id: string;
  value: string;
  /** The value, sealed for a retry. It is null when the client cannot retry. */
  sealed: string | null;
}

interface TokenSettings {
  /** How long a token lives, in seconds. */
  lifetimeSeconds: number;
}

const byValue = prepared((reader: Reader) =>
  reader
    .select({ token: accessTokens, grant: grants })
    .from(accessTokens)
    .innerJoin(grants, eq(grants.id, accessTokens.grantId))
    .where(eq(accessTokens.tokenHash, sql.placeholder('hash')))
    .prepare(),
);
const ofGrant = prepared((reader: Reader) =>
  reader
    .select({ id: accessTokens.id })
    .from(accessTokens)
    .where(and(eq(accessTokens.grantId, sql.placeholder('grantId')), eq(accessTokens.id, sql.placeholder('id'))))
    .prepare(),
);

interface Parts extends Pick<Core, 'database' | 'clock'> {
  seals: RetrySeals;
  settings: TokenSettings;
}

/** Issues, rotates and ends access tokens. */
export class AccessTokens {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param purpose names the request that the client may repeat when its answer is lost. */
  fresh(purpose?: string): FreshToken {
    const value = newSecret();
    return { id: newId(), value, sealed: purpose === undefined ? null : this.#parts.seals.seal(value, purpose) };
  }

  /** Stores the living token of a grant, in the write that issues the grant or ends its token before this one. */
  async issueIn(tx: Tx, grant: Grant, fresh: FreshToken, now: number): Promise<IssuedToken> {
    const { id, value, sealed } = fresh;
    const expiresAt = Math.min(now + this.#parts.settings.lifetimeSeconds * 1_000, grant.expiresAt ?? Number.MAX_SAFE_INTEGER);
    const row: AccessToken = {
      id,
      grantId: grant.id,
      tokenHash: hashSecret(value),
      state: 'active',
      replacedBy: null,
      awaitsRotation: false,
      sealed,
      createdAt: now,
      expiresAt,
    };
    await tx.insert(accessTokens).values(row);
    return issued(grant, row, value, now);
  }

  /** The living token of a grant, if `value` is its value. */
  async living(reader: Reader, grant: Grant, value: string, now: number): Promise<IssuedToken | undefined> {
    const token = await findLivingToken(reader, grant.id);
    if (token === undefined || token.awaitsRotation || token.tokenHash !== hashSecret(value) || hasExpired(grant, now)) return undefined;
    return issued(grant, token, value, now);
  }

  /** The token of a lost answer, while the node may still repeat that answer. */
  repeat(grant: Grant, token: AccessToken | undefined, purpose: string): IssuedToken | undefined {
    const now = this.#parts.clock.now();
    if (token === undefined || token.state !== 'active' || token.awaitsRotation || token.sealed === null) return undefined;
    if (now >= token.createdAt + RETRY_MS || hasExpired(grant, now)) return undefined;
    const value = this.#parts.seals.open(token.sealed, purpose);
    return value === undefined ? undefined : issued(grant, token, value, now);
  }

  /**
   * The token of a management URL, if the shown value belongs to it or to a later token of its grant. The value finds
   * the grant, and the node looks for the id in that grant only: the time of the answer cannot tell which other ids
   * exist.
   */
  async findManaged(id: string, value: string): Promise<ManagedToken | undefined> {
    const { read } = this.#parts.database;
    const [shown] = await byValue(read).execute({ hash: hashSecret(value) });
    if (shown === undefined) return undefined;
    const [managed] = await ofGrant(read).execute({ grantId: shown.grant.id, id });
    return managed && { id, grantId: shown.grant.id, client: clientOf(shown.grant), own: shown.token.id === id };
  }

  /**
   * Replaces a token, also an expired one. Resources refuse the old value at once. A client that repeats its request
   * within 10 s gets the same new value, until that value is used (decisions.md#D-39).
   */
  async rotate(managed: ManagedToken): Promise<Result<IssuedToken, 'ended'>> {
    if (!managed.own) return refuse('ended');
    const { id } = managed;
    const purpose = `rotate:${id}`;
    const fresh = this.fresh(purpose);
    const now = this.#parts.clock.now();
    const outcome = await this.#parts.database.write(async (tx) => {
      const [found] = await tx
        .select({ token: accessTokens, grant: grants })
        .from(accessTokens)
        .innerJoin(grants, eq(grants.id, accessTokens.grantId))
        .where(and(eq(accessTokens.id, id), eq(grants.state, 'issued')));
      if (found === undefined || hasExpired(found.grant, now)) return undefined;
      const { token, grant } = found;
      if (token.state !== 'active') return { grant, successor: await findToken(tx, token.replacedBy) };
      await tx.update(accessTokens).set({ state: 'rotated', replacedBy: fresh.id, sealed: null }).where(eq(accessTokens.id, id));
      const next = await this.issueIn(tx, grant, fresh, now);
      await appendGrantEvent(tx, 'token.rotated', grant, { by: 'client', token: id }, now);
      return { grant, issued: next };
    });
    if (outcome === undefined) return refuse('ended');
    const next = 'issued' in outcome ? outcome.issued : this.repeat(outcome.grant, outcome.successor, purpose);
    return next === undefined ? refuse('ended') : ok(next);
  }

  /** Ends the living token of the same grant. When there is none, it changes nothing. */
  async revoke({ grantId }: ManagedToken): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.database.write(async (tx) => {
      if (!(await endLivingToken(tx, grantId))) return;
      const [grant] = await tx.select().from(grants).where(eq(grants.id, grantId));
      if (grant) await appendGrantEvent(tx, 'token.revoked', grant, { by: 'client' }, now);
    });
  }

  /**
   * Ends the current value of a token. Its client gets the next value with its key (decisions.md#D-41).
   * @returns the id of the grant.
   */
  async rotateByOperator(id: string): Promise<Result<string, 'not_found' | 'ended'>> {
    const now = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx): Promise<Result<string, 'not_found' | 'ended'>> => {
      const token = await findToken(tx, id);
      const [grant] = token === undefined ? [] : await tx.select().from(grants).where(eq(grants.id, token.grantId));
      if (token === undefined || grant === undefined) return refuse('not_found');
      if (token.state !== 'active' || grant.state !== 'issued' || hasExpired(grant, now)) return refuse('ended');
      if (token.awaitsRotation) return ok(grant.id);
      await tx.update(accessTokens).set({ awaitsRotation: true, sealed: null }).where(eq(accessTokens.id, id));
      await appendGrantEvent(tx, 'token.rotated', grant, { by: 'operator', token: id }, now);
      return ok(grant.id);
    });
  }

  /**
   * Ends a token. With the id of an earlier token it ends the living one of the same grant.
   * @returns the id of the grant.
   */
  async revokeByOperator(id: string): Promise<Result<string, 'not_found'>> {
    const now = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx): Promise<Result<string, 'not_found'>> => {
      const token = await findToken(tx, id);
      const [grant] = token === undefined ? [] : await tx.select().from(grants).where(eq(grants.id, token.grantId));
      if (grant === undefined) return refuse('not_found');
      if (await endLivingToken(tx, grant.id)) await appendGrantEvent(tx, 'token.revoked', grant, { by: 'operator' }, now);
      return ok(grant.id);
    });
  }
}

/** The living token of a grant. */
export async function findLivingToken(reader: Reader, grantId: string): Promise<AccessToken | undefined> {
  const [token] = await reader
    .select()
    .from(accessTokens)
    .where(and(eq(accessTokens.grantId, grantId), isActive));
  return token;
}

/** @returns whether the grant had a living token. */
export async function endLivingToken(tx: Tx, grantId: string): Promise<boolean> {
  const ended = await tx
    .update(accessTokens)
    .set({ state: 'revoked', sealed: null })
    .where(and(eq(accessTokens.grantId, grantId), isActive))
    .returning({ id: accessTokens.id });
  return ended.length > 0;
}

async function findToken(tx: Tx, id: string | null): Promise<AccessToken | undefined> {
  if (id === null) return undefined;
  const [token] = await tx.select().from(accessTokens).where(eq(accessTokens.id, id));
  return token;
}

const issued = (grant: Grant, token: AccessToken, value: string, now: number): IssuedToken => ({
  id: token.id,
  value,
  expiresIn: Math.max(0, Math.floor((token.expiresAt - now) / 1_000)),
  access: grant.granted ?? [],
});
