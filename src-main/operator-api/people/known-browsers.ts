import { and, desc, eq, inArray, lte, sql } from 'drizzle-orm';
import { hashSecret } from '../../access/secrets.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { browserPeople, knownBrowsers, operatorSessions, pinTries } from '../tables.ts';
import { type Person, presentPeople } from './persons.ts';
import { HERE, placeOf, type Site } from './site.ts';

/** The node forgets a browser that nobody uses for this long, in milliseconds. The cookie's Max-Age is the same. */
export const KNOWN_MS = 90 * 24 * 3_600_000;
/** The most characters that the node keeps of a browser's name for itself. */
export const MOST_AGENT = 300;
/** The most wrong PINs for a person in one browser. After that the PIN is off there. */
export const MOST_WRONG_HERE = 5;
/** The most wrong PINs for a person within a day, over all browsers. After that it is off in all of them. */
export const MOST_WRONG_A_DAY = 10;

export type KnownBrowser = typeof knownBrowsers.$inferSelect;

/**
 * The two secrets of a known browser, 256 bits each: a cookie, and one that the page keeps. The cookie alone is no
 * proof, because browsers send it to every web server of the same host (decisions.md#D-62).
 */
export interface BrowserSecrets {
  cookie: string;
  page: string;
}

/** A browser in which a person may take over with their PIN. */
interface BrowserOfPerson {
  id: string;
  userAgent: string;
  signedInAt: number;
  lastUsedAt: number;
  /** Whether too many wrong PINs were tried for the person. */
  isPinOff: boolean;
}

const bySecret = prepared((reader: Reader) =>
  reader
    .select()
    .from(knownBrowsers)
    .where(eq(knownBrowsers.secretHash, sql.placeholder('secretHash')))
    .prepare(),
);

/** Makes the secrets of a browser that nobody knows yet, and the row that the write of a sign-in stores. */
export function newBrowser(site: Site, userAgent: string, now: number): { secrets: BrowserSecrets; row: KnownBrowser } {
  const secrets = { cookie: newSecret(), page: newSecret() };
  const row = {
    ...{ id: newId(), secretHash: hashSecret(secrets.cookie), pageHash: hashSecret(secrets.page) },
    ...{ site: placeOf(site), userAgent: userAgent.slice(0, MOST_AGENT), createdAt: now, lastUsedAt: now },
  };
  return { secrets, row };
}

/** The browsers that the node knows. */
export class KnownBrowsers {
  readonly #parts: Pick<Core, 'database' | 'clock'>;

  constructor(parts: Pick<Core, 'database' | 'clock'>) {
    this.#parts = parts;
  }

  /** @returns undefined when the node does not know the browser, or knows it elsewhere. */
  async find({ cookie, page }: BrowserSecrets, site: Site): Promise<KnownBrowser | undefined> {
    const [row] = await bySecret(this.#parts.database.read).execute({ secretHash: hashSecret(cookie) });
    if (row === undefined || row.pageHash !== hashSecret(page) || row.site !== placeOf(site)) return undefined;
    return this.#parts.clock.now() - row.lastUsedAt < KNOWN_MS ? row : undefined;
  }

  /**
   * The persons who may take over in a browser. The person who was there last comes first. A person who works alone on
   * the node needs nobody to take over, so the list is empty then.
   */
  async peopleIn(browserId: string): Promise<Person[]> {
    const { read } = this.#parts.database;
    const present = await presentPeople(read);
    if (present.length < 2) return [];
    const rows = await read
      .select()
      .from(browserPeople)
      .where(eq(browserPeople.browserId, browserId))
      .orderBy(desc(browserPeople.lastUsedAt), browserPeople.personId);
    return rows.flatMap(({ personId }) =>
      present.flatMap(({ id, name, role, state }) => (id === personId && state === 'active' ? [{ id, name, role }] : [])),
    );
  }

  /** The browsers in which a person may take over by a PIN, the one that was used last first. */
  async of(personId: string): Promise<BrowserOfPerson[]> {
    const { read } = this.#parts.database;
    const since = this.#parts.clock.now() - KNOWN_MS;
    const rows = await read
      .select({ browser: knownBrowsers, own: browserPeople })
      .from(browserPeople)
      .innerJoin(knownBrowsers, eq(knownBrowsers.id, browserPeople.browserId))
      .where(and(eq(browserPeople.personId, personId), eq(knownBrowsers.site, HERE)))
      .orderBy(desc(browserPeople.lastUsedAt), browserPeople.browserId);
    const isOff = await isOffEverywhere(read, personId);
    return rows.flatMap(({ browser, own }) =>
      browser.lastUsedAt <= since
        ? []
        : [
            {
              ...{ id: browser.id, userAgent: browser.userAgent, signedInAt: own.signedInAt, lastUsedAt: own.lastUsedAt },
              isPinOff: isOff || own.wrongPins >= MOST_WRONG_HERE,
            },
          ],
    );
  }
}

/**
 * Makes a browser forget a person, and signs the person out there.
 * @param except is a session that goes on: the one that asks.
 * @returns the ids of the sessions that have ended; undefined when the browser did not know the person.
 */
export async function endIn(
  { database, clock }: Pick<Core, 'database' | 'clock'>,
  { browserId, personId, except }: { browserId: string; personId: string; except?: string | undefined },
): Promise<string[] | undefined> {
  const at = clock.now();
  return await database.write(async (tx) => {
    if (!(await forgetPersonIn(tx, browserId, personId))) return undefined;
    await appendEvent(tx, { type: 'browser.forgotten', subject: browserId, at });
    const own = (await sessionsIn(tx, browserId)).filter((session) => session.personId === personId && session.id !== except);
    const ended = own.map(({ id }) => id);
    for (const subject of ended) await appendEvent(tx, { type: 'operator.signed_out', subject, at });
    await tx.delete(operatorSessions).where(inArray(operatorSessions.id, ended));
    return ended;
  });
}

/** Whether so many wrong PINs were tried for a person that theirs is off in all browsers. */
export async function isOffEverywhere(reader: Reader, personId: string): Promise<boolean> {
  const [tried] = await reader.select().from(pinTries).where(eq(pinTries.personId, personId));
  return tried !== undefined && tried.wrong >= MOST_WRONG_A_DAY;
}

/** Stores a browser, in the write of a sign-in. Browsers that nobody has used for too long go. */
export async function storeBrowser(tx: Tx, browser: KnownBrowser, at: number): Promise<void> {
  await tx.delete(knownBrowsers).where(lte(knownBrowsers.lastUsedAt, at - KNOWN_MS));
  await tx.delete(browserPeople).where(lte(browserPeople.lastUsedAt, at - KNOWN_MS));
  const set = { userAgent: browser.userAgent.slice(0, MOST_AGENT), lastUsedAt: at };
  await tx
    .insert(knownBrowsers)
    .values({ ...browser, ...set })
    .onConflictDoUpdate({ target: knownBrowsers.id, set });
}

/**
 * Notes that a person has signed in without a PIN, in the write that does it. From now on their PIN works in that
 * browser, and wrong ones are forgotten.
 * @param browserId is null where the session is in no known browser.
 */
export async function notePerson(tx: Tx, browserId: string | null, personId: string, at: number): Promise<void> {
  await tx.delete(pinTries).where(eq(pinTries.personId, personId));
  if (browserId === null) return;
  const set = { wrongPins: 0, signedInAt: at, lastUsedAt: at };
  await tx
    .insert(browserPeople)
    .values({ browserId, personId, ...set })
    .onConflictDoUpdate({ target: [browserPeople.browserId, browserPeople.personId], set });
}

/** Makes a browser forget a person: they sign in there without a PIN before one counts again. */
export async function forgetPersonIn(tx: Tx, browserId: string, personId: string): Promise<boolean> {
  const gone = await tx
    .delete(browserPeople)
    .where(and(eq(browserPeople.browserId, browserId), eq(browserPeople.personId, personId)))
    .returning({ personId: browserPeople.personId });
  return gone.length > 0;
}

/** Makes all browsers forget a person. */
export async function forgetPersonEverywhere(tx: Tx, personId: string): Promise<void> {
  await tx.delete(browserPeople).where(eq(browserPeople.personId, personId));
}

/** The sessions in a browser in which somebody is signed in. */
export const sessionsIn = async (tx: Tx, browserId: string): Promise<{ id: string; personId: string }[]> =>
  await tx
    .select({ id: operatorSessions.id, personId: operatorSessions.personId })
    .from(operatorSessions)
    .where(and(eq(operatorSessions.browserId, browserId), eq(operatorSessions.isLimited, false)));
