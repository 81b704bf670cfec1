import { and, desc, eq, gt, inArray, lte, not, type SQL, sql } from 'drizzle-orm';
import { hashSecret } from '../access/secrets.ts';
import { actAs } from '../journal/acting.ts';
import { appendEvent } from '../journal/events.ts';
import type { Core } from '../platform/core.ts';
import { prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { newId, newSecret } from '../platform/ids.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { otherAct } from './operator-acts.ts';
import { operatorLinks, operatorSessions } from './tables.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LINK_LIFE_MS = 10 * MINUTE_MS;
const IDLE_MS = 12 * HOUR_MS;
/** A session ends this long after its link was used, even when it is in use. The cookie's Max-Age is the same. */
export const SESSION_LIFE_MS = 30 * 24 * HOUR_MS;
/** How exact `lastUsedAt` is. It spares a write each time a session is read. */
const REFRESH_MS = MINUTE_MS;
/** The most characters that are kept of what a browser calls itself. */
const MOST_AGENT = 300;

type Parts = Pick<Core, 'database' | 'clock' | 'log'>;

type Row = typeof operatorSessions.$inferSelect;
export type Session = Pick<Row, 'id'>;
/** A session as the operator sees it. */
type ListedSession = Pick<Row, 'id' | 'userAgent' | 'createdAt' | 'lastUsedAt'>;

/**
 * The two secrets of a session, 256 bits each. The browser keeps one as a cookie and sends it to every web server of
 * the same host, whatever its port. The page keeps the other one and sends it with each call. No call counts without
 * both (decisions.md#D-62).
 */
interface SessionSecrets {
  cookie: string;
  page: string;
}

const bySecret = prepared((reader: Reader) =>
  reader
    .select()
    .from(operatorSessions)
    .where(eq(operatorSessions.secretHash, sql.placeholder('secretHash')))
    .prepare(),
);

const linkBySecret = prepared((reader: Reader) =>
  reader
    .select({ expiresAt: operatorLinks.expiresAt })
    .from(operatorLinks)
    .where(eq(operatorLinks.secretHash, sql.placeholder('secretHash')))
    .prepare(),
);

/**
 * The operator's console links and the browser sessions that they open. Both are rows, so a restart signs nobody out.
 */
export class OperatorSessions {
  readonly #parts: Parts;
  readonly #onEnded = new Set<(id: string) => void>();

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
   * Exchanges the secret of a link for those of a session. A wrong secret (of 256 bits) costs one look into an index
   * and no write, and it never keeps the right one out.
   */
  async redeem(linkSecret: string, userAgent: string): Promise<Result<SessionSecrets, 'wrong_secret'>> {
    const now = this.#parts.clock.now();
    const [known] = await linkBySecret(this.#parts.database.read).execute({ secretHash: hashSecret(linkSecret) });
    if (known === undefined || known.expiresAt <= now) return refuse('wrong_secret');
    const secrets = { cookie: newSecret(), page: newSecret() };
    const session = {
      ...{ secretHash: hashSecret(secrets.cookie), pageHash: hashSecret(secrets.page), id: newId() },
      ...{ userAgent: userAgent.slice(0, MOST_AGENT), createdAt: now, lastUsedAt: now },
    };
    const signIn = async (tx: Tx) => {
      const [link] = await tx
        .delete(operatorLinks)
        .where(and(eq(operatorLinks.secretHash, hashSecret(linkSecret)), gt(operatorLinks.expiresAt, now)))
        .returning();
      if (link === undefined) return false;
      await tx.delete(operatorSessions).where(isOver(now));
      await tx.insert(operatorSessions).values(session);
      await appendEvent(tx, { type: 'operator.signed_in', subject: session.id, at: now });
      return true;
    };
    const signedIn = await actAs(otherAct('session.signIn'), () => this.#parts.database.write(signIn));
    return signedIn ? ok(secrets) : refuse('wrong_secret');
  }

  /**
   * The session to which both secrets belong.
   * @returns undefined when there is none or it has ended.
   */
  async find({ cookie, page }: SessionSecrets): Promise<Session | undefined> {
    const now = this.#parts.clock.now();
    const [session] = await bySecret(this.#parts.database.read).execute({ secretHash: hashSecret(cookie) });
    if (session === undefined || session.pageHash !== hashSecret(page)) return undefined;
    if (now >= session.createdAt + SESSION_LIFE_MS || now >= session.lastUsedAt + IDLE_MS) return undefined;
    // A session that was stored by a clock that was ahead would last for longer than it may. It begins now.
    const createdAt = Math.min(session.createdAt, now);
    const isUsed = now - session.lastUsedAt >= REFRESH_MS;
    if (isUsed || now < session.lastUsedAt) await this.#refresh({ id: session.id, createdAt, lastUsedAt: now });
    return session;
  }

  /** The sessions that have not ended, the one that was used last first. */
  async list(): Promise<ListedSession[]> {
    const now = this.#parts.clock.now();
    return await this.#parts.database.read
      .select()
      .from(operatorSessions)
      .where(not(isOver(now)))
      .orderBy(desc(operatorSessions.lastUsedAt), desc(operatorSessions.id));
  }

  /** Signs a browser out by itself. Its secrets are worthless from then on. */
  async signOut(id: string): Promise<void> {
    await actAs(otherAct('session.signOut'), () => this.end([id]));
  }

  /**
   * Ends sessions, and the answers under way for them.
   * @returns how many of them there were.
   */
  async end(ids: readonly string[]): Promise<number> {
    const at = this.#parts.clock.now();
    const ended = await this.#parts.database.write(async (tx) => {
      const rows = await tx
        .delete(operatorSessions)
        .where(inArray(operatorSessions.id, [...ids]))
        .returning({ id: operatorSessions.id });
      for (const { id } of rows) await appendEvent(tx, { type: 'operator.signed_out', subject: id, at });
      return rows;
    });
    for (const { id } of ended) for (const listener of this.#onEnded) listener(id);
    return ended.length;
  }

  /**
   * Calls `listener` with the id of each session that is ended.
   * @returns a function that stops this.
   */
  onEnded(listener: (id: string) => void): () => void {
    this.#onEnded.add(listener);
    return () => this.#onEnded.delete(listener);
  }

  async #refresh({ id, ...times }: Pick<Row, 'id' | 'createdAt' | 'lastUsedAt'>): Promise<void> {
    try {
      await this.#parts.database.write(async (tx) => {
        await tx.update(operatorSessions).set(times).where(eq(operatorSessions.id, id));
      });
    } catch (error) {
      // A database that takes no writes must not shut out the operator, who has to read what is wrong.
      this.#parts.log.warn({ err: error }, 'the last use of a console session could not be stored');
    }
  }
}

/** Selects the sessions that have lasted too long, or that nobody has used for too long. */
const isOver = (now: number): SQL =>
  sql`(${operatorSessions.createdAt} <= ${now - SESSION_LIFE_MS} or ${operatorSessions.lastUsedAt} <= ${now - IDLE_MS})`;
