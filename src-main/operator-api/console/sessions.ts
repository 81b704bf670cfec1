import { and, eq, gt, lte, or, sql } from 'drizzle-orm';
import { hashSecret } from '../../access/secrets.ts';
import { actAs } from '../../journal/acting.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { otherAct } from '../operator-acts.ts';
import { operatorLinks, operatorSessions } from '../tables.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LINK_LIFE_MS = 10 * MINUTE_MS;
const IDLE_MS = 12 * HOUR_MS;
/** A session ends this long after its link was used, even when it is in use. The cookie's Max-Age is the same. */
export const SESSION_LIFE_MS = 30 * 24 * HOUR_MS;
/** How exact `lastUsedAt` is. It spares a write each time a session is read. */
const REFRESH_MS = MINUTE_MS;
const WRONG_SECRETS_PER_MINUTE = 20;

type Parts = Pick<Core, 'database' | 'clock' | 'log'>;

export type Session = Pick<typeof operatorSessions.$inferSelect, 'id'>;

const bySecret = prepared((reader: Reader) =>
  reader
    .select()
    .from(operatorSessions)
    .where(eq(operatorSessions.secretHash, sql.placeholder('secretHash')))
    .prepare(),
);

/**
 * The operator's console links and the browser sessions that they open. Both are rows, so a restart signs nobody out.
 */
export class OperatorSessions {
  readonly #parts: Parts;
  #wrong = { since: 0, count: 0 };

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Makes the secret of a console link. It works once, within ten minutes. */
  async createLink(): Promise<{ secret: string; expiresAt: number }> {
    const secret = newSecret();
    const expiresAt = this.#parts.clock.now() + LINK_LIFE_MS;
    await this.acceptLink({ secretHash: hashSecret(secret), expiresAt });
    return { secret, expiresAt };
  }

  /** Lets a secret open the console once. The caller passes the secret's SHA-256, not the secret. */
  async acceptLink({ secretHash, expiresAt }: { secretHash: string; expiresAt: number }): Promise<void> {
    const createdAt = this.#parts.clock.now();
    const link = { secretHash, createdAt, expiresAt };
    await this.#parts.database.write(async (tx) => {
      await tx.delete(operatorLinks).where(lte(operatorLinks.expiresAt, createdAt));
      await tx.insert(operatorLinks).values(link).onConflictDoNothing();
    });
  }

  /**
   * Exchanges the secret of a link for the secret of a session (256 bits). After 20 wrong secrets in a minute it
   * refuses every secret without looking it up, until the minute is over.
   */
  async redeem(linkSecret: string): Promise<Result<{ secret: string }, 'wrong_secret' | 'too_many'>> {
    const now = this.#parts.clock.now();
    // The distance counts in both directions. Otherwise a clock that was set back would shut the operator out until it
    // has caught up.
    if (Math.abs(now - this.#wrong.since) >= MINUTE_MS) this.#wrong = { since: now, count: 0 };
    if (this.#wrong.count >= WRONG_SECRETS_PER_MINUTE) return refuse('too_many');
    const secret = newSecret();
    const session = { secretHash: hashSecret(secret), id: newId(), createdAt: now, lastUsedAt: now };
    const signIn = async (tx: Tx) => {
      const [link] = await tx
        .delete(operatorLinks)
        .where(and(eq(operatorLinks.secretHash, hashSecret(linkSecret)), gt(operatorLinks.expiresAt, now)))
        .returning();
      if (link === undefined) return false;
      const over = or(lte(operatorSessions.createdAt, now - SESSION_LIFE_MS), lte(operatorSessions.lastUsedAt, now - IDLE_MS));
      await tx.delete(operatorSessions).where(over);
      await tx.insert(operatorSessions).values(session);
      await appendEvent(tx, { type: 'operator.signed_in', subject: session.id, at: now });
      return true;
    };
    const signedIn = await actAs(otherAct('session.signIn'), () => this.#parts.database.write(signIn));
    if (signedIn) return ok({ secret });
    this.#wrong.count += 1;
    return refuse('wrong_secret');
  }

  /**
   * The session that belongs to a cookie's value.
   * @returns undefined when there is none or it has ended.
   */
  async find(secret: string): Promise<Session | undefined> {
    const now = this.#parts.clock.now();
    const [session] = await bySecret(this.#parts.database.read).execute({ secretHash: hashSecret(secret) });
    if (session === undefined || now >= session.createdAt + SESSION_LIFE_MS || now >= session.lastUsedAt + IDLE_MS) return undefined;
    if (now - session.lastUsedAt >= REFRESH_MS) await this.#refresh(session.id, now);
    return session;
  }

  /** Signs a browser out. Its cookie is worthless from then on. */
  async end(id: string): Promise<void> {
    const at = this.#parts.clock.now();
    const signOut = async (tx: Tx) => {
      const ended = await tx.delete(operatorSessions).where(eq(operatorSessions.id, id)).returning({ id: operatorSessions.id });
      if (ended.length > 0) await appendEvent(tx, { type: 'operator.signed_out', subject: id, at });
    };
    await actAs(otherAct('session.signOut'), () => this.#parts.database.write(signOut));
  }

  async #refresh(id: string, now: number): Promise<void> {
    try {
      await this.#parts.database.write(async (tx) => {
        await tx.update(operatorSessions).set({ lastUsedAt: now }).where(eq(operatorSessions.id, id));
      });
    } catch (error) {
      // A database that takes no writes must not shut out the operator, who has to read what is wrong.
      this.#parts.log.warn({ err: error }, 'the last use of a console session could not be stored');
    }
  }
}
