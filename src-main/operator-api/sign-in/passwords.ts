import { and, eq, lt } from 'drizzle-orm';
import { actAs } from '../../journal/acting.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { Turns } from '../../platform/overload/turns.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { hashPassphrase, isPassphrase, type ScryptCost } from '../lock/lock-passphrase.ts';
import { otherAct } from '../operator-acts.ts';
import { doerOf, personRow } from '../people/persons.ts';
import { type Browser, liftLimit, newSession, type SessionSecrets, storeSession, type WayIn } from '../people/sessions.ts';
import { forgetPassword } from '../people/ways.ts';
import { passwords } from '../tables.ts';
import { countAsRight, type SignInAttempts, type Trier } from './attempts.ts';
import { type Challenges, takeChallenge } from './challenges.ts';
import type { PersonAtPage } from './passkeys.ts';
import { isRecoveryCode, newRecoveryCodes, storeRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import { SECRET_CHECKS } from './secret-checks.ts';
import { isAhead, newTotpSecret, stepOfCode, totpUri } from './totp.ts';

/** How long a person has to set up their app for codes, in milliseconds. They may have to install it first. */
const SET_UP_MS = 30 * 60_000;

type Row = typeof passwords.$inferSelect;

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  challenges: Challenges;
  attempts: SignInAttempts;
  /** Seals the secrets of the apps for codes. */
  seal: Seal;
  /** The cost of a password. Tests alone lower it. */
  cost?: ScryptCost;
}

/** The input of a person who signs in. */
interface TypedSignIn {
  signInName: string;
  password: string;
  /** Six digits of the app for codes, or a recovery code. */
  code: string;
}

/**
 * Why nobody was signed in. `clock_set_back`: password and code are right, but the clock of the node is before the code
 * that the person used last (decisions.md#D-186).
 */
export type PasswordRefusal =
  | { kind: 'wrong' }
  | { kind: 'busy' }
  | { kind: 'clock_set_back' }
  | { kind: 'too_many_attempts'; secondsLeft: number };

/** One spelling of a name, whatever keyboard wrote it. Names to sign in are compared in it. */
const comparable = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/**
 * Passwords with an app for codes, for people who have no device with passkeys. Neither of the two lets anybody in
 * alone.
 */
export class Passwords {
  readonly #parts: Parts;
  readonly #checks = new Turns(SECRET_CHECKS);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The password of a person. It is undefined when they have none. */
  async of(personId: string): Promise<Row | undefined> {
    return await passwordOf(this.#parts.database.read, personId);
  }

  /** Whether anybody has a password. */
  async any(): Promise<boolean> {
    return (await this.#parts.database.read.select({ personId: passwords.personId }).from(passwords).limit(1)).length > 0;
  }

  /** Begins to set a password. @returns the secret for the person's app for codes, and what {@link set} takes. */
  async begin({ personId, sessionId, site }: PersonAtPage): Promise<{ setUp: string; secret: string; uri: string }> {
    const secret = newTotpSecret();
    const sealed = this.#parts.seal.seal(secret, personId);
    const bound = { purpose: 'set_password', site: site.origin, sessionId } as const;
    const setUp = await this.#parts.challenges.make(bound, { lifeMs: SET_UP_MS, secret: sealed });
    const name = (await personRow(this.#parts.database.read, personId))?.name || 'owner';
    return { setUp, secret, uri: totpUri(secret, { issuer: `paydesk ${new URL(site.origin).hostname}`, name }) };
  }

  /**
   * Sets or replaces a password, once the person's app for codes has shown its first code.
   * @returns the recovery codes, which the node tells only now.
   */
  async set(
    { personId, sessionId, site }: PersonAtPage,
    { setUp, signInName, password, code }: TypedSignIn & { setUp: string },
  ): Promise<Result<string[], 'begin_again' | 'wrong_code' | 'name_taken'>> {
    const at = this.#parts.clock.now();
    const begun = await this.#parts.challenges.look(setUp, { purpose: 'set_password', site: site.origin, sessionId });
    const secret = begun?.secret == null ? undefined : this.#parts.seal.open(begun.secret, personId);
    if (begun?.secret == null || secret === undefined) return refuse('begin_again');
    const totpStep = stepOfCode(secret, code, at);
    if (totpStep === undefined) return refuse('wrong_code');
    const name = comparable(signInName);
    const hashed = await hashPassphrase(password, this.#parts.cost);
    const row: Row = { personId, signInName: name, ...hashed, totpSecret: begun.secret, totpStep, createdAt: at, isPaused: false };
    const codes = newRecoveryCodes();
    return await this.#parts.database.write(async (tx) => {
      const [other] = await tx.select().from(passwords).where(eq(passwords.signInName, name));
      if (other !== undefined && other.personId !== personId) return refuse('name_taken');
      if (!(await takeChallenge(tx, begun))) return refuse('begin_again');
      await tx.delete(passwords).where(eq(passwords.personId, personId));
      await tx.insert(passwords).values(row);
      await storeRecoveryCodes(tx, personId, codes);
      await appendEvent(tx, { type: 'password.set', subject: personId, at });
      await liftLimit(tx, sessionId, at, 'password');
      return ok(codes);
    });
  }

  /** Gives the person other recovery codes. The former ones end. @returns undefined when they have no password. */
  async renewRecoveryCodes(personId: string): Promise<string[] | undefined> {
    const at = this.#parts.clock.now();
    const codes = newRecoveryCodes();
    return await this.#parts.database.write(async (tx) => {
      if ((await passwordOf(tx, personId)) === undefined) return undefined;
      await storeRecoveryCodes(tx, personId, codes);
      await appendEvent(tx, { type: 'recovery_codes.made', subject: personId, at });
      return codes;
    });
  }

  async remove(personId: string): Promise<boolean> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const gone = await forgetPassword(tx, personId);
      if (gone) await appendEvent(tx, { type: 'password.removed', subject: personId, at });
      return gone;
    });
  }

  /**
   * Signs a browser in. An unknown name takes as long as a known one, and a wrong password gets the same answer as a
   * wrong code.
   */
  async signIn(typed: TypedSignIn, browser: Browser & { address: string }): Promise<Result<SessionSecrets, PasswordRefusal>> {
    const trier: Trier = { signInName: comparable(typed.signInName), address: browser.address };
    const checked = await this.#checks.run(() => this.#signIn(typed, trier, browser));
    return checked.ok ? checked.value : refuse({ kind: 'busy' });
  }

  async #signIn(typed: TypedSignIn, trier: Trier, browser: Browser): Promise<Result<SessionSecrets, PasswordRefusal>> {
    const secondsLeft = await this.#parts.attempts.count(trier);
    if (secondsLeft > 0) return refuse({ kind: 'too_many_attempts', secondsLeft });
    const { read } = this.#parts.database;
    const [row] = await read.select().from(passwords).where(eq(passwords.signInName, trier.signInName));
    const isRight = await this.#isRight(typed.password, row);
    const person = row === undefined ? undefined : await personRow(read, row.personId);
    if (row === undefined || person === undefined || !isRight) return refuse({ kind: 'wrong' });
    const now = this.#parts.clock.now();
    const second = this.#second(row, typed.code, now);
    if (second === undefined) return refuse({ kind: 'wrong' });
    if (typeof second === 'number' && isAhead(row.totpStep, now)) return refuse({ kind: 'clock_set_back' });
    const made = newSession(person.id, browser, { now });
    const signIn = async (tx: Tx) => {
      const current = await personRow(tx, person.id);
      const way = current?.state === 'active' ? await useUp(tx, row, second) : undefined;
      if (way === undefined) return false;
      await countAsRight(tx, trier);
      await storeSession(tx, made, way);
      return true;
    };
    const isIn = await actAs(otherAct('session.signIn', doerOf(person, browser.userAgent)), () => this.#parts.database.write(signIn));
    return isIn ? ok(made.secrets) : refuse({ kind: 'wrong' });
  }

  /** Compares a password. An unknown name costs the same work. */
  async #isRight(password: string, row: Row | undefined): Promise<boolean> {
    if (row !== undefined) return await isPassphrase(password, row);
    await hashPassphrase(password, this.#parts.cost);
    return false;
  }

  /** The step of the code that was typed beside the password, or a recovery code that the write looks for. */
  #second(row: Row, code: string, now: number): number | string | undefined {
    if (isRecoveryCode(code)) return code;
    const secret = this.#parts.seal.open(row.totpSecret, row.personId);
    return secret === undefined ? undefined : stepOfCode(secret, code.replaceAll(/\s/g, ''), now);
  }
}

/**
 * Uses up the code that was typed beside the password, so that nobody signs in by it twice.
 * @returns undefined when somebody has used it before.
 */
async function useUp(tx: Tx, row: Row, second: number | string): Promise<WayIn | undefined> {
  const isSame = and(eq(passwords.personId, row.personId), eq(passwords.hash, row.hash), eq(passwords.isPaused, false));
  if (typeof second === 'number') {
    const used = await tx
      .update(passwords)
      .set({ totpStep: second })
      .where(and(isSame, lt(passwords.totpStep, second)))
      .returning({ personId: passwords.personId });
    return used.length > 0 ? 'password' : undefined;
  }
  const [same] = await tx.select().from(passwords).where(isSame);
  return same !== undefined && (await useRecoveryCode(tx, row.personId, second)) ? 'recovery_code' : undefined;
}

async function passwordOf(reader: Reader, personId: string): Promise<Row | undefined> {
  const [row] = await reader.select().from(passwords).where(eq(passwords.personId, personId));
  return row;
}
