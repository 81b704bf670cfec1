import { eq } from 'drizzle-orm';
import type { EventType } from '../../../src-shared/event-types.ts';
import type { Lock, LockReason, LockSettings } from '../../../src-shared/operator-contract/lock.ts';
import { appendEvent } from '../../journal/events.ts';
import { type Beginning, beginningAt, type Clock, passedSince } from '../../platform/clock.ts';
import type { Core } from '../../platform/core.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { operatorLock } from '../tables.ts';
import { delayAfter, hashPassphrase, isPassphrase, type ScryptCost } from './lock-passphrase.ts';

type Kept = typeof operatorLock.$inferSelect;

export type PassphraseProblem =
  | { kind: 'not_protected' }
  | { kind: 'wrong_passphrase' | 'too_many_attempts' /** Until the next one is looked at. */; secondsLeft: number };

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  /** It is lower in tests only. */
  cost?: ScryptCost;
  /** Whether other processes of the node have consoles, too. Those stay open when nobody uses this one. */
  hasOthers?: boolean;
}

interface PassphraseNeeded {
  kind: 'passphrase_needed';
}

const MINUTE_MS = 60_000;
/** The timer looks at the clock at most this often. */
const LOOK_AGAIN_MS = 250;
const ID = 'lock';
const NEVER: LockSettings = { idleMinutes: null, atStart: true };

/**
 * Whether the console is locked. The state is the same for the whole node and every transport. It is kept in memory, so
 * that locking works without the disk. The passphrase's hash is in the database, and so is whether the node was locked
 * when it ended (decisions.md#D-58).
 *
 * The lock keeps people away who sit down at the screen. A person who can read the node's files does not need the
 * console.
 */
export class AppLock {
  readonly #parts: Parts;
  readonly #listeners = new Set<() => void>();
  #kept: Kept | undefined;
  #reason: LockReason | undefined;
  #lastUsed: Beginning;
  /** When the next passphrase is looked at, by the monotonic clock. */
  #openFrom = 0;
  #loading: Promise<void> | undefined;
  /** How many times this process has locked and not stored it yet. */
  #unstored = 0;
  /** Passphrases are checked one after the other. Otherwise many that arrive at once would escape the delay. */
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#lastUsed = beginningAt(parts.clock);
  }

  /** Reads the stored state, once. Callers must await this before they use the lock. */
  async load(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    await this.#loading;
  }

  /** Whether the console is locked now. Reading this locks it when nobody has used the console for too long. */
  get locked(): boolean {
    this.#lockWhenIdle();
    return this.#reason !== undefined;
  }

  state(): Lock {
    const { locked } = this;
    return {
      protected: this.#kept !== undefined,
      locked,
      reason: this.#reason ?? null,
      secondsLeft: this.#secondsLeft(),
      settings: this.#kept === undefined ? NEVER : { idleMinutes: this.#kept.idleMinutes, atStart: this.#kept.atStart },
    };
  }

  /**
   * Calls `listener` whenever the lock locks, opens or gets other settings.
   * @returns a function that stops this.
   */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Locks at once, even when the disk fails.
   * @returns false when there is no passphrase.
   */
  lock(reason: LockReason): boolean {
    if (this.#kept === undefined) return false;
    if (this.#reason !== undefined) return true;
    this.#reason = reason;
    this.#tell();
    const at = this.#parts.clock.now();
    this.#unstored += 1;
    const isOwn = reason === 'idle' && this.#parts.hasOthers === true;
    this.#keep(isOwn ? {} : { lockedFor: reason }, { type: 'console.locked', body: { reason }, at })
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'the console is locked, but that could not be stored'))
      .finally(() => {
        this.#unstored -= 1;
      });
    return true;
  }

  /**
   * Takes over what other processes of the node have stored. What locked one of them locks this one. Only unlocking
   * there unlocks here: a process begins locked where the settings say so, whatever the others do.
   * @param types the types of the lock's events that were heard.
   */
  async hear(types: readonly EventType[]): Promise<void> {
    await this.#inTurn(async () => {
      const [kept] = await this.#parts.database.read.select().from(operatorLock).where(eq(operatorLock.id, ID));
      this.#kept = kept;
      if (kept !== undefined) this.#waitFrom(kept);
      if (kept === undefined) this.#reason = undefined;
      else if (kept.lockedFor !== null) this.#reason ??= kept.lockedFor;
      else if (types.includes('console.unlocked') && this.#unstored === 0) {
        this.#reason = undefined;
        this.#lastUsed = beginningAt(this.#parts.clock);
      }
      this.#tell();
    });
  }

  /** Notes that somebody uses the console now. */
  noteUse(): void {
    if (!this.locked) this.#lastUsed = beginningAt(this.#parts.clock);
  }

  async open(passphrase: string): Promise<Result<void, PassphraseProblem>> {
    return await this.#withPassphrase(passphrase, async (at) => {
      const wasLocked = this.#reason !== undefined;
      await this.#keep({ wrongAttempts: 0, lockedFor: null }, wasLocked ? { type: 'console.unlocked', at } : undefined);
      this.#reason = undefined;
      this.#lastUsed = beginningAt(this.#parts.clock);
    });
  }

  /**
   * Checks that the caller knows the passphrase before an operation that would also take the lock away. Each try counts
   * like a try to unlock. Without a passphrase nothing is asked for.
   */
  async confirm(
    passphrase: string | undefined,
  ): Promise<Result<void, Exclude<PassphraseProblem, { kind: 'not_protected' }> | PassphraseNeeded>> {
    await this.load();
    if (this.#kept === undefined) return ok(undefined);
    if (passphrase === undefined) return refuse({ kind: 'passphrase_needed' });
    const known = await this.#withPassphrase(passphrase, async () => await this.#keep({ wrongAttempts: 0 }));
    if (known.ok) return known;
    // The passphrase was removed while this call waited for its turn.
    return known.error.kind === 'not_protected' ? ok(undefined) : refuse(known.error);
  }

  /** Sets the first passphrase. */
  async protect(passphrase: string, settings: LockSettings): Promise<Result<void, 'protected_already'>> {
    return await this.#inTurn(async () => {
      if (this.#kept !== undefined) return refuse('protected_already');
      const hashed = await hashPassphrase(passphrase, this.#parts.cost);
      const at = this.#parts.clock.now();
      const row: Kept = { id: ID, ...hashed, ...settings, lockedFor: null, wrongAttempts: 0, lastAttemptAt: null };
      await this.#parts.database.write(async (tx) => {
        await tx.insert(operatorLock).values(row);
        await appendLockEvent(tx, { type: 'lock.set', at });
      });
      this.#kept = row;
      this.#waitFrom(row);
      this.#lastUsed = beginningAt(this.#parts.clock);
      this.#tell();
      return ok(undefined);
    });
  }

  async changePassphrase(current: string, passphrase: string): Promise<Result<void, PassphraseProblem>> {
    return await this.#withPassphrase(current, async (at) => {
      await this.#keep({ ...(await hashPassphrase(passphrase, this.#parts.cost)), wrongAttempts: 0 }, { type: 'lock.changed', at });
    });
  }

  async removePassphrase(current: string): Promise<Result<void, PassphraseProblem>> {
    return await this.#withPassphrase(current, async (at) => {
      await this.#parts.database.write(async (tx) => {
        await tx.delete(operatorLock);
        await appendLockEvent(tx, { type: 'lock.removed', at });
      });
      this.#kept = undefined;
      this.#reason = undefined;
    });
  }

  async changeSettings(settings: LockSettings): Promise<Result<void, 'not_protected'>> {
    return await this.#inTurn(async () => {
      if (this.#kept === undefined) return refuse('not_protected');
      await this.#keep(settings, { type: 'lock.changed', at: this.#parts.clock.now() });
      this.#tell();
      return ok(undefined);
    });
  }

  /** Stops the timer, and resolves when no write of the lock is under way any more. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#turn;
  }

  async #load(): Promise<void> {
    const [kept] = await this.#parts.database.read.select().from(operatorLock).where(eq(operatorLock.id, ID));
    this.#kept = kept;
    if (kept !== undefined) this.#waitFrom(kept);
    if (kept !== undefined) this.#reason = kept.atStart ? 'start' : (kept.lockedFor ?? undefined);
    this.#lastUsed = beginningAt(this.#parts.clock);
    this.#lookLater();
  }

  #lockWhenIdle(): void {
    if (this.#reason === undefined && this.#idleLeft() <= 0) this.lock('idle');
  }

  /** @returns milliseconds until the lock locks by itself; infinity when it does not lock by itself. */
  #idleLeft(): number {
    if (this.#kept === undefined || this.#kept.idleMinutes === null) return Number.POSITIVE_INFINITY;
    return this.#kept.idleMinutes * MINUTE_MS - passedSince(this.#lastUsed, this.#parts.clock);
  }

  #lookLater(): void {
    clearTimeout(this.#timer);
    if (this.#closed || this.#reason !== undefined) return;
    const left = this.#idleLeft();
    if (left === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(
      () => {
        this.#lockWhenIdle();
        this.#lookLater();
      },
      Math.max(LOOK_AGAIN_MS, left),
    );
    this.#timer.unref();
  }

  #secondsLeft(): number {
    if (this.#kept === undefined) return 0;
    return Math.max(0, Math.ceil((this.#openFrom - this.#parts.clock.monotonic()) / 1_000));
  }

  /**
   * Reads from the stored attempts when the next one is looked at. Before a restart a clock may have told their time
   * that was ahead, so the wait is never longer than it was.
   */
  #waitFrom({ wrongAttempts, lastAttemptAt }: Pick<Kept, 'wrongAttempts' | 'lastAttemptAt'>): void {
    const { clock } = this.#parts;
    const passed = lastAttemptAt === null ? Number.POSITIVE_INFINITY : Math.max(0, clock.now() - lastAttemptAt);
    this.#openFrom = clock.monotonic() + delayAfter(wrongAttempts) * 1_000 - passed;
  }

  /**
   * Runs `then` when `passphrase` is right. The attempt is stored before the passphrase is checked, so that ending the
   * node in between gives no free attempts.
   */
  async #withPassphrase(passphrase: string, then: (at: number) => Promise<void>): Promise<Result<void, PassphraseProblem>> {
    return await this.#inTurn<Result<void, PassphraseProblem>>(async () => {
      const kept = this.#kept;
      if (kept === undefined) return refuse({ kind: 'not_protected' });
      const wait = this.#secondsLeft();
      if (wait > 0) return refuse({ kind: 'too_many_attempts', secondsLeft: wait });
      const at = this.#parts.clock.now();
      await this.#keep({ wrongAttempts: kept.wrongAttempts + 1, lastAttemptAt: at });
      if (!(await isPassphrase(passphrase, kept))) {
        await this.#keep({}, { type: 'lock.passphrase_refused', at });
        return refuse({ kind: 'wrong_passphrase', secondsLeft: this.#secondsLeft() });
      }
      await then(at);
      this.#tell();
      return ok(undefined);
    });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(async () => {
      await this.load();
      return await work();
    });
    this.#turn = result.catch(() => undefined);
    return await result;
  }

  async #keep(change: Partial<Kept>, event?: LockEvent): Promise<void> {
    await this.#parts.database.write(async (tx) => {
      if (Object.keys(change).length > 0) await tx.update(operatorLock).set(change).where(eq(operatorLock.id, ID));
      if (event !== undefined) await appendLockEvent(tx, event);
    });
    if (this.#kept === undefined) return;
    this.#kept = { ...this.#kept, ...change };
    if (change.wrongAttempts !== undefined) this.#waitFrom(this.#kept);
  }

  #tell(): void {
    this.#lookLater();
    for (const listener of [...this.#listeners]) listener();
  }
}

/**
 * Removes the passphrase without asking for it. The node must not be running, because a running one would not notice.
 * @returns whether there was a passphrase.
 */
export async function forgetLock(database: Database, clock: Clock): Promise<boolean> {
  const at = clock.now();
  return await database.write(async (tx) => {
    const removed = await tx.delete(operatorLock).returning({ id: operatorLock.id });
    if (removed.length > 0) await appendLockEvent(tx, { type: 'lock.removed', body: { by: 'command' }, at });
    return removed.length > 0;
  });
}

interface LockEvent {
  type: Extract<EventType, `lock.${string}` | 'console.locked' | 'console.unlocked'>;
  body?: Record<string, string>;
  at: number;
}

const appendLockEvent = (tx: Tx, event: LockEvent): Promise<void> => appendEvent(tx, { ...event, subject: ID });
