import { createHmac } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { NodeSecrets } from '../../platform/secrets/node-secrets.ts';
import { appendGrantEvent, findGrant, type Grant, hasExpired, stateAt } from '../grant-rows.ts';
import { hashSecret, sameSecret } from '../secrets.ts';
import { grants, REVOCABLE } from '../tables.ts';
import { type AccessTokens, endLivingToken, type FreshToken, findLivingToken, type IssuedToken } from '../tokens/access-tokens.ts';
import { RETRY_MS } from '../tokens/retry-seals.ts';

/** How long a client waits before it asks for the first time, in seconds (RFC 9635 §5: not below 5). */
export const FIRST_WAIT_SECONDS = 5;
/** The share of the time since the grant request that a client waits later (decisions.md#D-36). */
const WAIT_SHARE = 1 / 20;

/** The wait of a client that has asked now and shall ask again, in whole seconds. */
const waitAfter = ({ createdAt }: Pick<Grant, 'createdAt'>, asked: number): number =>
  Math.max(FIRST_WAIT_SECONDS, Math.floor(((asked - createdAt) / 1_000) * WAIT_SHARE));

/**
 * The reason why a grant is not continued (protocol-notes.md#PN-20). `not_found`: the grant is denied, revoked or
 * lapsed, or the reference is wrong. `not_continuable`: the grant gave its token before, or the operator denied it.
 * `not_approved`: nobody has decided yet.
 */
type ContinueProblem = 'too_fast' | 'polling_refused' | 'not_approved' | 'not_continuable' | 'not_found';

type ContinueAnswer = { kind: 'waiting'; wait: number } | { kind: 'issued'; token: IssuedToken | undefined; subject: string | undefined };

/** The outcome of the write: a new token, or a state in which the node may repeat an earlier answer. */
type Outcome = { kind: 'issued'; token: IssuedToken | undefined } | { kind: 'waiting'; wait: number } | { kind: 'issued_before' };

const byToken = prepared((reader: Reader) =>
  reader
    .select()
    .from(grants)
    .where(eq(grants.continuationHash, sql.placeholder('hash')))
    .prepare(),
);

interface Parts extends Pick<Core, 'database' | 'clock'> {
  tokens: AccessTokens;
  secrets: Pick<NodeSecrets, 'derive'>;
}

/** Continues and cancels grants for clients that hold the continuation token. */
export class Continuations {
  readonly #parts: Parts;
  readonly #refKey: Buffer;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#refKey = parts.secrets.derive('interact-ref');
  }

  /**
   * The grant of a continuation, if the token belongs to it. The caller still has to verify the client's signature. The
   * token finds the grant, and nothing is looked up by the id: the time of the answer cannot tell which ids exist.
   */
  async find(id: string, token: string): Promise<Grant | undefined> {
    const [grant] = await byToken(this.#parts.database.read).execute({ hash: hashSecret(token) });
    return grant?.continuationId === id ? grant : undefined;
  }

  /** The reference that tells a client that its grant was approved. It can be used once, and only its use is stored. */
  interactRef(grantId: string): string {
    return createHmac('sha256', this.#refKey).update(grantId).digest('base64url');
  }

  /** @param interactRef the reference that the browser brought back. It is undefined when the client polls. */
  async continue(known: Grant, interactRef: string | undefined): Promise<Result<ContinueAnswer, ContinueProblem>> {
    const { id, finishUri, subject } = known;
    if (interactRef === undefined && finishUri !== null) return refuse('polling_refused');
    if (interactRef !== undefined && !sameSecret(interactRef, this.interactRef(id))) return refuse('not_found');
    const now = this.#parts.clock.now();
    const polls = interactRef === undefined;
    // A client that asks too early, or for ever, costs no write.
    const early = refusalOf(known, polls, now);
    if (early !== undefined) return refuse(early);
    const purpose = `continue:${id}`;
    const fresh = this.#parts.tokens.fresh(purpose);

    const outcome = await this.#parts.database.write(async (tx): Promise<Result<Outcome, ContinueProblem>> => {
      const grant = await findGrant(tx, id);
      if (grant === undefined) return refuse('not_found');
      const state = stateAt(grant, now);
      if (state === 'issued') return ok({ kind: 'issued_before' });
      const refusal = refusalOf(grant, polls, now);
      if (refusal !== undefined) return refuse(refusal);
      await tx.update(grants).set({ lastContinuedAt: now }).where(eq(grants.id, id));
      return ok(state === 'pending' ? { kind: 'waiting', wait: waitAfter(grant, now) } : await this.#issueIn(tx, grant, fresh, now));
    });

    if (!outcome.ok) return outcome;
    if (outcome.value.kind === 'waiting') return ok(outcome.value);
    if (outcome.value.kind === 'issued') return ok({ ...outcome.value, subject: subject ?? undefined });
    return await this.#repeat(id, purpose, polls ? 'not_continuable' : 'not_approved');
  }

  /** Withdraws a grant request, or ends a grant. The payments that the client made with it stay. */
  async cancel(id: string): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.database.write((tx) => revokeGrant(tx, id, 'client', now));
  }

  /** Gives an approved grant its first token, or only the proof it asked for. */
  async #issueIn(tx: Tx, grant: Grant, fresh: FreshToken, now: number): Promise<Outcome> {
    await tx
      .update(grants)
      .set({ state: 'issued' })
      .where(and(eq(grants.id, grant.id), eq(grants.state, 'approved')));
    await appendGrantEvent(tx, 'grant.issued', grant, {}, now);
    const hasAccess = grant.granted !== null && grant.granted.length > 0;
    return { kind: 'issued', token: hasAccess ? await this.#parts.tokens.issueIn(tx, grant, fresh, now) : undefined };
  }

  async #repeat(id: string, purpose: string, otherwise: ContinueProblem): Promise<Result<ContinueAnswer, ContinueProblem>> {
    const grant = await findGrant(this.#parts.database.read, id);
    // A client that got its proof without a token may ask again for just as long.
    if (grant?.granted?.length === 0 && isFresh(grant, this.#parts.clock.now()))
      return ok({ kind: 'issued', token: undefined, subject: grant.subject ?? undefined });
    const token = await findLivingToken(this.#parts.database.read, id);
    const repeated = grant && this.#parts.tokens.repeat(grant, token, purpose);
    return repeated ? ok({ kind: 'issued', token: repeated, subject: grant.subject ?? undefined }) : refuse(otherwise);
  }
}

/**
 * The reason why a grant is not continued now. It is undefined when the grant waits, is approved or has given its
 * token.
 */
function refusalOf(grant: Grant, polls: boolean, now: number): ContinueProblem | undefined {
  const state = stateAt(grant, now);
  if (state === 'issued') return undefined;
  if (state === 'revoked') return 'not_found';
  if (state !== 'pending' && state !== 'approved') return polls ? 'not_continuable' : 'not_found';
  if (polls) return isTooFast(grant, now) ? 'too_fast' : undefined;
  return state === 'pending' ? 'not_approved' : undefined;
}

/** Whether the client asks too soon. One that asked by a clock that was ahead need not wait until that time comes. */
function isTooFast(grant: Grant, now: number): boolean {
  const asked = grant.lastContinuedAt ?? grant.createdAt;
  return asked <= now && now < asked + waitAfter(grant, asked) * 1_000;
}

/** Whether the node answered the client so recently that the answer may have been lost. */
const isFresh = (grant: Grant, now: number): boolean =>
  grant.state === 'issued' && !hasExpired(grant, now) && now < (grant.lastContinuedAt ?? 0) + RETRY_MS;

/**
 * Ends a grant and its token. A grant that has ended before stays as it is.
 * @returns the grant, or undefined when there is none.
 */
export async function revokeGrant(tx: Tx, id: string, by: 'client' | 'operator', now: number): Promise<Grant | undefined> {
  const grant = await findGrant(tx, id);
  if (grant === undefined) return undefined;
  const state = stateAt(grant, now);
  if (REVOCABLE.includes(state)) {
    await tx.update(grants).set({ state: 'revoked' }).where(eq(grants.id, id));
    await endLivingToken(tx, id);
    await appendGrantEvent(tx, 'grant.revoked', grant, { by }, now);
  }
  return grant;
}
