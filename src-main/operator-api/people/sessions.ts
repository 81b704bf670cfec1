import { and, desc, eq, gt, inArray, lte, not, type SQL, sql } from 'drizzle-orm';
import { hashSecret } from '../../access/secrets.ts';
import { actAs } from '../../journal/acting.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { otherAct } from '../operator-acts.ts';
import { operatorLinks, operatorSessions, people } from '../tables.ts';
import { forgetPersonIn, type KnownBrowser, MOST_AGENT, notePerson, sessionsIn, storeBrowser } from './known-browsers.ts';
import { doerOf, ownerHere, type Person, type PersonRow, personRow, storeFirstOwner } from './persons.ts';
import { isNobodys, isSetUpSecret } from './set-up.ts';
import { placeOf, type Site } from './site.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LINK_LIFE_MS = 10 * MINUTE_MS;
const IDLE_MS = 12 * HOUR_MS;
/** A session ends this long after its link was used, even when somebody uses it. The cookie's Max-Age is the same. */
export const SESSION_LIFE_MS = 30 * 24 * HOUR_MS;
/** `lastUsedAt` is this exact, in milliseconds. It spares a write each time the node reads a session. */
const REFRESH_MS = MINUTE_MS;

type Parts = Pick<Core, 'database' | 'clock' | 'log'>;

type Row = typeof operatorSessions.$inferSelect;
/** A session that counts, with the person who is signed in. */
export interface Session {
  id: string;
  person: Person;
  /** Whether the person may only make a passkey or set a password. */
  isLimited: boolean;
  /** Whether the person came in by their PIN. */
  byPin: boolean;
}
/** A session as a person sees it. */
export type ListedSession = Pick<Row, 'id' | 'personId' | 'userAgent' | 'createdAt' | 'lastUsedAt'>;

/**
 * The two secrets of a session, 256 bits each. The browser keeps one as a cookie and sends it to every web server of
 * the same host, whatever its port. The page keeps the other one and sends it with each call. No call counts without
 * both (decisions.md#D-62).
 */
export interface SessionSecrets {
  cookie: string;
  page: string;
}

/** The way by which a browser gets in. */
export type WayIn = 'link' | 'passkey' | 'password' | 'recovery_code' | 'pin';

/** The browser that signs in. */
export interface Browser {
  userAgent: string;
  site: Site;
  /** The browser as the node knows it, or is to know it. Without one no PIN works there afterwards. */
  known?: KnownBrowser | undefined;
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
    .select({ expiresAt: operatorLinks.expiresAt, personId: operatorLinks.personId })
    .from(operatorLinks)
    .where(eq(operatorLinks.secretHash, sql.placeholder('secretHash')))
    .prepare(),
);

const byId = prepared((reader: Reader) =>
  reader
    .select()
    .from(operatorSessions)
    .where(eq(operatorSessions.id, sql.placeholder('id')))
    .prepare(),
);

/**
 * Console links, the sign-in links of persons, and the browser sessions that they open. All are rows, so a restart
 * signs nobody out.
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

  /**
   * Lets a secret open the console once. The caller passes the secret's SHA-256, not the secret.
   * @param namesOwner whether the link is one of the owner as a person, which counts over the network, too.
   */
  async acceptLink({ secretHash, expiresAt }: { secretHash: string; expiresAt: number }, namesOwner = false): Promise<void> {
    const createdAt = this.#parts.clock.now();
    const personId = namesOwner ? (await ownerHere(this.#parts.database.read)).id : null;
    const link = { secretHash, personId, createdAt, expiresAt };
    await this.#parts.database.write(async (tx) => {
      await tx.delete(operatorLinks).where(lte(operatorLinks.expiresAt, createdAt));
      await tx.insert(operatorLinks).values(link).onConflictDoNothing();
    });
  }

  /**
   * Exchanges the secret of a link for those of a session. A wrong secret (of 256 bits) costs one look into an index
   * and no write, and it never keeps the right one out. Over the network a console link opens nothing, and every other
   * link only lets the person make a passkey or set a password.
   */
  async redeem(linkSecret: string, browser: Browser): Promise<Result<SessionSecrets, 'wrong_secret'>> {
    const now = this.#parts.clock.now();
    const { site } = browser;
    const [known] = await linkBySecret(this.#parts.database.read).execute({ secretHash: hashSecret(linkSecret) });
    if (known === undefined || known.expiresAt <= now || (site.isRemote && known.personId === null)) return refuse('wrong_secret');
    const { read } = this.#parts.database;
    const person = known.personId === null ? await ownerHere(read) : await personRow(read, known.personId);
    if (person === undefined) return refuse('wrong_secret');
    const made = newSession(person.id, browser, { now, isLimited: site.isRemote });
    const signIn = async (tx: Tx) => {
      const [link] = await tx
        .delete(operatorLinks)
        .where(and(eq(operatorLinks.secretHash, hashSecret(linkSecret)), gt(operatorLinks.expiresAt, now)))
        .returning();
      if (link === undefined || (isSetUpSecret(linkSecret) && !(await isNobodys(tx)))) return false;
      if (site.isRemote) return await beginLimited(tx, made);
      if (!(await letIn(tx, person.id))) return false;
      await storeSession(tx, made, 'link');
      return true;
    };
    const signedIn = await actAs(otherAct('session.signIn', doerOf(person, browser.userAgent)), () => this.#parts.database.write(signIn));
    return signedIn ? ok(made.secrets) : refuse('wrong_secret');
  }

  /**
   * The session to which both secrets belong.
   * @returns undefined when there is none, or it has ended, or it counts elsewhere.
   */
  async find({ cookie, page }: SessionSecrets, site: Site): Promise<Session | undefined> {
    const now = this.#parts.clock.now();
    const [session] = await bySecret(this.#parts.database.read).execute({ secretHash: hashSecret(cookie) });
    if (session === undefined || session.pageHash !== hashSecret(page) || session.site !== placeOf(site)) return undefined;
    if (now >= session.createdAt + SESSION_LIFE_MS || now >= session.lastUsedAt + IDLE_MS) return undefined;
    // A session that was stored by a clock that was ahead would last for longer than it may. It begins now.
    const createdAt = Math.min(session.createdAt, now);
    const isUsed = now - session.lastUsedAt >= REFRESH_MS;
    const person = await personRow(this.#parts.database.read, session.personId);
    const { isLimited, byPin } = session;
    if (person === undefined || !mayBeIn(person, isLimited)) return undefined;
    if (isUsed || now < session.lastUsedAt) await this.#refresh({ id: session.id, createdAt, lastUsedAt: now });
    const { id, name, role } = person;
    return { id: session.id, person: { id, name, role }, isLimited, byPin };
  }

  /** Whether a session still counts, with the role that it had when {@link find} found it. */
  async isStillIn(reader: Reader, { id, person }: Session): Promise<boolean> {
    const [row] = await byId(reader).execute({ id });
    if (row === undefined) return false;
    const now = await personRow(reader, row.personId);
    return now !== undefined && mayBeIn(now, row.isLimited) && now.role === person.role;
  }

  /** The known browser in which a session is. It is undefined when there is none. */
  async browserOf(id: string): Promise<string | undefined> {
    const [row] = await byId(this.#parts.database.read).execute({ id });
    return row?.browserId ?? undefined;
  }

  /** The sessions in which somebody is signed in, the one that was used last first. */
  async list(): Promise<ListedSession[]> {
    const now = this.#parts.clock.now();
    return await this.#parts.database.read
      .select()
      .from(operatorSessions)
      .where(and(not(isOver(now)), eq(operatorSessions.isLimited, false)))
      .orderBy(desc(operatorSessions.lastUsedAt), desc(operatorSessions.id));
  }

  /** Signs a browser out by itself. Its secrets are worthless from then on. */
  async signOut({ id, person }: Session, userAgent = ''): Promise<void> {
    await actAs(otherAct('session.signOut', doerOf(person, userAgent)), () => this.end([id]));
  }

  /**
   * Ends all sessions of a person, in a write that goes on with something else.
   * @returns their ids, for {@link tellEnded} after the write.
   */
  async endOf(tx: Tx, personId: string, at: number): Promise<string[]> {
    const rows = await tx.delete(operatorSessions).where(eq(operatorSessions.personId, personId)).returning({ id: operatorSessions.id });
    for (const { id } of rows) await appendEvent(tx, { type: 'operator.signed_out', subject: id, at });
    return rows.map(({ id }) => id);
  }

  /** Ends the answers under way for sessions that have ended. */
  tellEnded(ids: readonly string[]): void {
    for (const id of ids) for (const listener of this.#onEnded) listener(id);
  }

  /**
   * Ends sessions, and the answers under way for them.
   * @param forgets whether the PINs of their persons stop working in their browsers, too: a person who signs a browser
   * out from elsewhere does not trust it any more.
   * @returns how many of them there were.
   */
  async end(ids: readonly string[], forgets = false): Promise<number> {
    const at = this.#parts.clock.now();
    const ended = await this.#parts.database.write(async (tx) => {
      const these = inArray(operatorSessions.id, [...ids]);
      const rows = await tx.select().from(operatorSessions).where(these);
      // The event comes first: a session that ends itself may do so only while it is there.
      for (const { id } of rows) await appendEvent(tx, { type: 'operator.signed_out', subject: id, at });
      await tx.delete(operatorSessions).where(these);
      if (forgets) for (const { browserId, personId } of rows) if (browserId !== null) await forgetPersonIn(tx, browserId, personId);
      return rows;
    });
    this.tellEnded(ended.map(({ id }) => id));
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

/** A person who was invited is let in once they have a passkey or a password. Until then they may only make one. */
const mayBeIn = ({ state }: PersonRow, isLimited: boolean): boolean => state === 'active' || (isLimited && state === 'invited');

/** A session that a write is to store, and the secrets that are told once. */
interface NewSession {
  secrets: SessionSecrets;
  row: Row;
  /** The browser in which it is. */
  known: KnownBrowser | undefined;
}

/** Makes a session for {@link storeSession}. */
export function newSession(
  personId: string,
  { userAgent, site, known }: Browser,
  { now, isLimited = false, byPin = false }: { now: number; isLimited?: boolean; byPin?: boolean },
): NewSession {
  const secrets = { cookie: newSecret(), page: newSecret() };
  const row = {
    ...{ secretHash: hashSecret(secrets.cookie), pageHash: hashSecret(secrets.page), id: newId(), personId },
    ...{ site: placeOf(site), isLimited, byPin, browserId: known?.id ?? null },
    ...{ userAgent: userAgent.slice(0, MOST_AGENT), createdAt: now, lastUsedAt: now },
  };
  return { secrets, row, known };
}

/**
 * Signs a browser in, within the write that has used up the proof. The person who was signed in there before is signed
 * out: a browser has one cookie.
 */
export async function storeSession(tx: Tx, { row, known }: NewSession, way: WayIn): Promise<void> {
  const { createdAt: at } = row;
  await tx.delete(operatorSessions).where(isOver(at));
  if (known !== undefined) {
    for (const { id } of await sessionsIn(tx, known.id)) await appendEvent(tx, { type: 'operator.signed_out', subject: id, at });
    await tx.delete(operatorSessions).where(eq(operatorSessions.browserId, known.id));
    if (way !== 'pin') await storeBrowser(tx, known, at);
  }
  if (way !== 'pin') await notePerson(tx, row.browserId, row.personId, at);
  await tx.insert(operatorSessions).values(row);
  await appendEvent(tx, { type: 'operator.signed_in', subject: row.id, body: { way }, at: row.createdAt });
}

/** Begins a session in which the person may only make a passkey or set a password. It signs nobody in yet. */
async function beginLimited(tx: Tx, { row, known }: NewSession): Promise<boolean> {
  const person = await personRow(tx, row.personId);
  if (person === undefined || person.state === 'removed') return false;
  await tx.delete(operatorSessions).where(isOver(row.createdAt));
  if (known !== undefined) await storeBrowser(tx, known, row.createdAt);
  await tx.insert(operatorSessions).values(row);
  return true;
}

/**
 * Signs the person in fully, in the write that has stored their passkey or password. It ends every other session in
 * which somebody has begun to make one for this person, and every other link.
 */
export async function liftLimit(tx: Tx, sessionId: string, at: number, way: WayIn): Promise<void> {
  const [lifted] = await tx
    .update(operatorSessions)
    .set({ isLimited: false })
    .where(and(eq(operatorSessions.id, sessionId), eq(operatorSessions.isLimited, true)))
    .returning();
  if (lifted === undefined) return;
  const { personId, browserId } = lifted;
  await tx.delete(operatorLinks).where(eq(operatorLinks.personId, personId));
  await tx.delete(operatorSessions).where(and(eq(operatorSessions.personId, personId), eq(operatorSessions.isLimited, true)));
  await letIn(tx, personId);
  await notePerson(tx, browserId, personId, at);
  await appendEvent(tx, { type: 'operator.signed_in', subject: sessionId, body: { way }, at });
}

/** Lets a person in by a link, within the write that uses it up. @returns false when they were removed. */
async function letIn(tx: Tx, id: string): Promise<boolean> {
  await storeFirstOwner(tx);
  const person = await personRow(tx, id);
  if (person?.state === 'invited') await tx.update(people).set({ state: 'active' }).where(eq(people.id, id));
  return person !== undefined && person.state !== 'removed';
}

/** Selects the sessions that have lasted too long, or that nobody has used for too long. */
const isOver = (now: number): SQL =>
  sql`(${operatorSessions.createdAt} <= ${now - SESSION_LIFE_MS} or ${operatorSessions.lastUsedAt} <= ${now - IDLE_MS})`;
