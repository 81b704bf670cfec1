import { and, eq } from 'drizzle-orm';
import { faultOfPin, type PinFault } from '../../../src-shared/people/pin-rules.ts';
import { actAs } from '../../journal/acting.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { Turns } from '../../platform/overload/turns.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { hashPassphrase, isPassphrase, type ScryptCost } from '../lock/lock-passphrase.ts';
import { otherAct } from '../operator-acts.ts';
import { isOffEverywhere, type KnownBrowser, MOST_WRONG_A_DAY, MOST_WRONG_HERE } from '../people/known-browsers.ts';
import { doerOf, type PersonRow, personRow } from '../people/persons.ts';
import { type Browser, newSession, type SessionSecrets, storeSession } from '../people/sessions.ts';
import { forgetPin } from '../people/ways.ts';
import { browserPeople, knownBrowsers, operatorSessions, pins, pinTries } from '../tables.ts';
import { SECRET_CHECKS } from './secret-checks.ts';

/** A person may set a PIN for this long after signing in without one, in milliseconds. */
export const SET_WITHIN_MS = 15 * 60_000;
const DAY_MS = 24 * 3_600_000;

type Row = typeof pins.$inferSelect;

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  /** Seals the hashes of PINs: a thief of the rows could soon make a million guesses. */
  seal: Seal;
  /** The cost of a PIN. Tests alone lower it. */
  cost?: ScryptCost;
}

/** The person who takes over, and the PIN that was typed. */
interface TypedPin {
  personId: string;
  pin: string;
}

/**
 * The reason why nobody was let in. `pin_off`: in this browser no PIN of this person counts until they have signed in
 * without it. The answer is the same whether the person has a PIN or not.
 */
export type PinRefusal = { kind: 'wrong_pin'; triesLeft: number } | { kind: 'pin_off' | 'busy' };

/**
 * PINs of six digits, with which a person takes over in a browser where they have signed in before. One try in a
 * million is right by chance, so the node grants few: it counts each in the database before it compares it. So neither
 * a restart nor a second replica gives tries away (decisions.md#D-284).
 */
export class Pins {
  readonly #parts: Parts;
  readonly #checks = new Turns(SECRET_CHECKS);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The time at which the person has set their PIN. It is undefined when they have none. */
  async setAt(personId: string): Promise<number | undefined> {
    return (await pinOf(this.#parts.database.read, personId))?.createdAt;
  }

  /**
   * Sets or replaces the PIN of the person in a session, which must have begun a short while ago without a PIN. Wrong
   * PINs that somebody tried stay counted.
   */
  async set(personId: string, sessionId: string, pin: string): Promise<Result<true, PinFault | 'sign_in_again'>> {
    const fault = faultOfPin(pin);
    if (fault !== undefined) return refuse(fault);
    const at = this.#parts.clock.now();
    const { hash, ...hashed } = await hashPassphrase(pin, this.#parts.cost);
    const row: Row = { personId, ...hashed, sealedHash: this.#parts.seal.seal(hash, sealedFor(personId)), createdAt: at };
    return await this.#parts.database.write(async (tx) => {
      if (!(await isFresh(tx, sessionId, at))) return refuse('sign_in_again');
      await tx.delete(pins).where(eq(pins.personId, personId));
      await tx.insert(pins).values(row);
      await appendEvent(tx, { type: 'pin.set', subject: personId, at });
      return ok(true);
    });
  }

  /** The time until which a session may set a PIN. It is undefined when it may not, or not any more. */
  async mayBeSetUntil(sessionId: string): Promise<number | undefined> {
    const { read } = this.#parts.database;
    const [session] = await read.select().from(operatorSessions).where(eq(operatorSessions.id, sessionId));
    const isFresh = session !== undefined && isFreshAt(session, this.#parts.clock.now());
    return isFresh ? session.createdAt + SET_WITHIN_MS : undefined;
  }

  /** Removes the PIN of a person. @returns false when they have none. */
  async remove(personId: string): Promise<boolean> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const person = await personRow(tx, personId);
      if (!(await forgetPin(tx, personId))) return false;
      await appendEvent(tx, { type: 'pin.removed', subject: personId, body: { name: person?.name ?? '' }, at });
      return true;
    });
  }

  /** Signs a person in who takes over, at the computer of the node (decisions.md#D-318). */
  async signIn(typed: TypedPin, browser: Browser): Promise<Result<SessionSecrets, PinRefusal>> {
    const { known } = browser;
    if (known === undefined || browser.site.isRemote) return refuse({ kind: 'pin_off' });
    const checked = await this.#checks.run(() => this.#signIn(typed, browser, known));
    return checked.ok ? checked.value : refuse({ kind: 'busy' });
  }

  async #signIn({ personId, pin }: TypedPin, browser: Browser, known: KnownBrowser): Promise<Result<SessionSecrets, PinRefusal>> {
    const triesLeft = await this.#count(known.id, personId);
    if (triesLeft === undefined) return refuse({ kind: 'pin_off' });
    const { read } = this.#parts.database;
    const [row, person] = await Promise.all([pinOf(read, personId), personRow(read, personId)]);
    const isRight = await this.#isRight(pin, row);
    if (row === undefined || person === undefined || !isRight) return await this.#refused(person, known, triesLeft);
    const now = this.#parts.clock.now();
    const made = newSession(personId, browser, { now, byPin: true });
    const signIn = async (tx: Tx) => {
      const current = await personRow(tx, personId);
      const [same] = await tx
        .select()
        .from(pins)
        .where(and(eq(pins.personId, personId), eq(pins.sealedHash, row.sealedHash)));
      if (current?.state !== 'active' || same === undefined || !(await countAsRight(tx, known.id, personId, now))) return false;
      await storeSession(tx, made, 'pin');
      return true;
    };
    const isIn = await actAs(otherAct('session.signIn', doerOf(person, browser.userAgent)), () => this.#parts.database.write(signIn));
    return isIn ? ok(made.secrets) : refuse({ kind: 'pin_off' });
  }

  /**
   * Counts a try, in the write that decides whether the node looks at it.
   * @returns how many are left after it; undefined when the node does not look at it.
   */
  async #count(browserId: string, personId: string): Promise<number | undefined> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const here = and(eq(browserPeople.browserId, browserId), eq(browserPeople.personId, personId));
      const [known] = await tx.select().from(browserPeople).where(here);
      if (known === undefined || known.wrongPins >= MOST_WRONG_HERE || (await isOffEverywhere(tx, personId))) return undefined;
      const wrongPins = known.wrongPins + 1;
      await tx.update(browserPeople).set({ wrongPins }).where(here);
      const [tried] = await tx.select().from(pinTries).where(eq(pinTries.personId, personId));
      // Tries that a clock counted which was more than a day ahead are those of another day.
      const isToday = tried !== undefined && Math.abs(at - tried.since) < DAY_MS;
      const set = isToday ? { wrong: tried.wrong + 1, since: tried.since } : { wrong: 1, since: at };
      await tx
        .insert(pinTries)
        .values({ personId, ...set })
        .onConflictDoUpdate({ target: pinTries.personId, set });
      return Math.min(MOST_WRONG_HERE - wrongPins, MOST_WRONG_A_DAY - set.wrong);
    });
  }

  /** Compares a PIN. A person without one costs the same work. */
  async #isRight(pin: string, row: Row | undefined): Promise<boolean> {
    const hash = row === undefined ? undefined : this.#parts.seal.open(row.sealedHash, sealedFor(row.personId));
    if (row !== undefined && hash !== undefined) return await isPassphrase(pin, { ...row, hash });
    await hashPassphrase(pin, this.#parts.cost);
    return false;
  }

  async #refused(
    person: PersonRow | undefined,
    { id, userAgent }: KnownBrowser,
    triesLeft: number,
  ): Promise<Result<SessionSecrets, PinRefusal>> {
    if (triesLeft > 0 || person === undefined) return refuse({ kind: 'wrong_pin', triesLeft });
    const event = { type: 'pin.turned_off', subject: id, body: { name: person.name }, at: this.#parts.clock.now() } as const;
    await actAs(otherAct('session.pinOff', doerOf(person, userAgent)), () => this.#parts.database.write((tx) => appendEvent(tx, event)));
    return refuse({ kind: 'pin_off' });
  }
}

/** The purpose of the seal. No sealed value of somebody or something else passes for the hash of a PIN. */
const sealedFor = (personId: string): string => `pin ${personId}`;

/** Whether the session has begun a short while ago, and without a PIN. A clock that was ahead makes it no longer. */
async function isFresh(tx: Tx, sessionId: string, at: number): Promise<boolean> {
  const [session] = await tx.select().from(operatorSessions).where(eq(operatorSessions.id, sessionId));
  return session !== undefined && isFreshAt(session, at);
}

const isFreshAt = ({ byPin, createdAt }: typeof operatorSessions.$inferSelect, at: number): boolean =>
  !byPin && Math.abs(at - createdAt) < SET_WITHIN_MS;

/**
 * Takes the count of a try back that was right, in the write that signs in. Other tries of the day stay counted: a
 * person who knows one PIN gets no more guesses at it elsewhere.
 * @returns false when the browser, or the person in it, was forgotten meanwhile.
 */
async function countAsRight(tx: Tx, browserId: string, personId: string, at: number): Promise<boolean> {
  const [browser] = await tx
    .update(knownBrowsers)
    .set({ lastUsedAt: at })
    .where(eq(knownBrowsers.id, browserId))
    .returning({ id: knownBrowsers.id });
  const [known] = await tx
    .update(browserPeople)
    .set({ wrongPins: 0, lastUsedAt: at })
    .where(and(eq(browserPeople.browserId, browserId), eq(browserPeople.personId, personId)))
    .returning({ personId: browserPeople.personId });
  if (browser === undefined || known === undefined) return false;
  const [tried] = await tx.select().from(pinTries).where(eq(pinTries.personId, personId));
  if (tried === undefined) return true;
  await tx
    .update(pinTries)
    .set({ wrong: Math.max(0, tried.wrong - 1) })
    .where(eq(pinTries.personId, personId));
  return true;
}

async function pinOf(reader: Reader, personId: string): Promise<Row | undefined> {
  const [row] = await reader.select().from(pins).where(eq(pins.personId, personId));
  return row;
}
