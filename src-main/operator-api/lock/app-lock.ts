import type { EventType } from '../../../src-shared/event-types.ts';
import type { Lock, LockReason, LockSettings } from '../../../src-shared/operator-contract/lock.ts';
import { type Beginning, beginningAt, passedSince } from '../../platform/clock.ts';
import type { Core } from '../../platform/core.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { delayAfter, hashPassphrase, isPassphrase, type ScryptCost } from './lock-passphrase.ts';
import { changeLock, countAttempt, insertLock, type KeptLock, LOCK_ID, type LockEvent, readLock, removeLock } from './lock-row.ts';

export type PassphraseProblem =
  | { kind: 'not_protected' }
  | { kind: 'wrong_passphrase' | 'too_many_attempts' /** The wait for the next one. */; secondsLeft: number };

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  /** The cost of the passphrase. Tests alone lower it. */
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
  #kept: KeptLock | undefined;
  #reason: LockReason | undefined;
  #lastUsed: Beginning;
  /** The time from which the lock looks at the next passphrase, by the monotonic clock. */
  #openFrom = 0;
  #loading: Promise<void> | undefined;
  /** The number of times that this process has locked and not stored it yet. */
  #unstored = 0;
  /** Resolves when what was locked last is stored. */
  #storing: Promise<void> = Promise.resolve();
  /**
   * The number of this process's writes that have ended. A row that was read before the last one ended may be older.
   */
  #writes = 0;
  /**
   * The turn in which a passphrase is checked, one after the other. Otherwise many that arrive at once would escape the
   * delay.
   */
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

  /**
   * Reads what other processes of the node have stored, so that this one decides nothing by memory alone. It reads
   * nothing when there are no others: then this process remembers everything.
   */
  async look(): Promise<void> {
    await this.load();
    if (this.#parts.hasOthers !== true) return;
    const wasLocked = this.#reason !== undefined;
    await this.#read();
    if (wasLocked !== (this.#reason !== undefined)) this.#tell();
  }

  /**
   * Whether the console is open, as a write sees it. A write that asks for it stores nothing after another process has
   * locked the console.
   */
  async isOpenIn(tx: Reader): Promise<boolean> {
    if (this.#parts.hasOthers !== true) return true;
    const kept = await readLock(tx);
    return kept === undefined || kept.lockedFor === null;
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
    const isOwn = reason === 'idle' && this.#parts.hasOthers === true;
    // A process may be locked for a reason of its own, which leaves the others open.
    const holdsEverywhere = this.#parts.hasOthers !== true || isOwn || this.#kept.lockedFor !== null;
    if (this.#reason !== undefined && holdsEverywhere) return true;
    this.#reason ??= reason;
    this.#tell();
    const at = this.#parts.clock.now();
    this.#unstored += 1;
    this.#storing = this.#keep(isOwn ? {} : { lockedFor: reason }, { type: 'console.locked', body: { reason }, at })
      .then(() => undefined)
      .finally(() => {
        this.#unstored -= 1;
      });
    this.#storing.catch((error: unknown) => this.#parts.log.error({ err: error }, 'the console is locked, but that could not be stored'));
    return true;
  }

  /** Resolves when the other processes of the node are locked, too. @throws when that could not be stored. */
  async holdsEverywhere(): Promise<void> {
    if (this.#parts.hasOthers === true) await this.#storing;
  }

  /**
   * Takes over what other processes of the node have stored. A lock of one of them locks this one. Only unlocking there
   * unlocks here: a process begins locked where the settings say so, whatever the others do.
   * @param types the types of the lock's events that were heard.
   */
  async hear(types: readonly EventType[]): Promise<void> {
    await this.#inTurn(async () => {
      const kept = await this.#read();
      if (kept?.lockedFor === null && types.includes('console.unlocked') && this.#unstored === 0) {
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
    return await this.#withPassphrase(passphrase, async (at, checked) => {
      const wasLocked = this.#reason !== undefined || checked.lockedFor !== null;
      const event = wasLocked ? ({ type: 'console.unlocked', at } as const) : undefined;
      if (!(await this.#keep({ wrongAttempts: 0, lockedFor: null }, event, checked))) return false;
      this.#reason = undefined;
      this.#lastUsed = beginningAt(this.#parts.clock);
      return true;
    });
  }

  /**
   * Checks that the caller knows the passphrase before an operation that would also take the lock away. Each try counts
   * like a try to unlock. Without a passphrase it asks for nothing.
   */
  async confirm(
    passphrase: string | undefined,
  ): Promise<Result<void, Exclude<PassphraseProblem, { kind: 'not_protected' }> | PassphraseNeeded>> {
    await this.look();
    if (this.#kept === undefined) return ok(undefined);
    if (passphrase === undefined) return refuse({ kind: 'passphrase_needed' });
    const known = await this.#withPassphrase(
      passphrase,
      async (_at, checked) => await this.#keep({ wrongAttempts: 0 }, undefined, checked),
    );
    if (known.ok) return known;
    // The passphrase was removed while this call waited for its turn.
    return known.error.kind === 'not_protected' ? ok(undefined) : refuse(known.error);
  }

  /** Sets the first passphrase. */
  async protect(passphrase: string, settings: LockSettings): Promise<Result<void, 'protected_already'>> {
    return await this.#inTurn(async () => {
      await this.look();
      if (this.#kept !== undefined) return refuse('protected_already');
      const hashed = await hashPassphrase(passphrase, this.#parts.cost);
      const at = this.#parts.clock.now();
      const row: KeptLock = { id: LOCK_ID, ...hashed, ...settings, lockedFor: null, wrongAttempts: 0, lastAttemptAt: null };
      if (!(await this.#write((tx) => insertLock(tx, row, at)))) {
        await this.#read();
        return refuse('protected_already');
      }
      this.#know(row);
      this.#lastUsed = beginningAt(this.#parts.clock);
      this.#tell();
      return ok(undefined);
    });
  }

  async changePassphrase(current: string, passphrase: string): Promise<Result<void, PassphraseProblem>> {
    return await this.#withPassphrase(current, async (at, checked) => {
      const hashed = await hashPassphrase(passphrase, this.#parts.cost);
      return await this.#keep({ ...hashed, wrongAttempts: 0 }, { type: 'lock.changed', at }, checked);
    });
  }

  async removePassphrase(current: string): Promise<Result<void, PassphraseProblem>> {
    return await this.#withPassphrase(current, async (at, checked) => {
      const removed = await this.#write((tx) => removeLock(tx, checked, at));
      if (removed) this.#know(undefined);
      return removed;
    });
  }

  async changeSettings(settings: LockSettings): Promise<Result<void, 'not_protected'>> {
    return await this.#inTurn(async () => {
      await this.look();
      if (this.#kept === undefined || !(await this.#keep(settings, { type: 'lock.changed', at: this.#parts.clock.now() }))) {
        return refuse('not_protected');
      }
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
    const kept = await readLock(this.#parts.database.read);
    this.#know(kept);
    if (kept !== undefined) this.#reason = kept.atStart ? 'start' : (kept.lockedFor ?? undefined);
    this.#lastUsed = beginningAt(this.#parts.clock);
    this.#lookLater();
  }

  /**
   * Takes over the stored row. A lock of another process locks this one; unlocking there does not unlock here. Reads
   * again when a write of this process has ended meanwhile, because the row may then be from before it.
   */
  async #read(): Promise<KeptLock | undefined> {
    for (;;) {
      const writes = this.#writes;
      const kept = await readLock(this.#parts.database.read);
      if (writes !== this.#writes) continue;
      this.#know(kept);
      if (kept !== undefined && kept.lockedFor !== null) this.#reason ??= kept.lockedFor;
      return kept;
    }
  }

  #know(kept: KeptLock | undefined): void {
    const before = this.#kept;
    this.#kept = kept;
    if (kept === undefined) this.#reason = undefined;
    else if (kept.wrongAttempts !== before?.wrongAttempts || kept.lastAttemptAt !== before.lastAttemptAt) this.#waitFrom(kept);
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
   * Finds out from the stored attempts when the lock looks at the next one. A clock that was ahead before a restart may
   * have told their time, so the wait is never longer than it was.
   */
  #waitFrom({ wrongAttempts, lastAttemptAt }: Pick<KeptLock, 'wrongAttempts' | 'lastAttemptAt'>): void {
    const { clock } = this.#parts;
    const passed = lastAttemptAt === null ? Number.POSITIVE_INFINITY : Math.max(0, clock.now() - lastAttemptAt);
    this.#openFrom = clock.monotonic() + delayAfter(wrongAttempts) * 1_000 - passed;
  }

  /**
   * Runs `then` when `passphrase` is right. The attempt is stored before the lock checks the passphrase, so that ending
   * the node in between gives no free attempts.
   * @param then returns false when the passphrase was replaced or removed meanwhile.
   */
  async #withPassphrase(
    passphrase: string,
    then: (at: number, checked: KeptLock) => Promise<boolean>,
  ): Promise<Result<void, PassphraseProblem>> {
    return await this.#inTurn<Result<void, PassphraseProblem>>(async () => {
      await this.look();
      const at = this.#parts.clock.now();
      const attempt = await this.#attempt(at);
      if (!attempt.ok) return attempt;
      if (!(await isPassphrase(passphrase, attempt.value))) {
        await this.#keep({}, { type: 'lock.passphrase_refused', at });
        return refuse({ kind: 'wrong_passphrase', secondsLeft: this.#secondsLeft() });
      }
      if (!(await then(at, attempt.value))) {
        return refuse((await this.#read()) === undefined ? { kind: 'not_protected' } : { kind: 'wrong_passphrase', secondsLeft: 0 });
      }
      this.#tell();
      return ok(undefined);
    });
  }

  /**
   * Counts an attempt, unless it comes too early. The write asks whether the row is still the one that led to that
   * decision: processes that are asked at the same moment give no more attempts than one would.
   * @returns the row with whose hash the passphrase is compared.
   */
  async #attempt(at: number): Promise<Result<KeptLock, PassphraseProblem>> {
    for (let kept = this.#kept; ; kept = await this.#read()) {
      if (kept === undefined) return refuse({ kind: 'not_protected' });
      const wait = this.#secondsLeft();
      if (wait > 0) return refuse({ kind: 'too_many_attempts', secondsLeft: wait });
      const before = kept;
      const counted = await this.#write((tx) => countAttempt(tx, before, at));
      if (counted === undefined) continue;
      this.#know(counted);
      return ok(counted);
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(async () => {
      await this.load();
      return await work();
    });
    this.#turn = result.catch(() => undefined);
    return await result;
  }

  /**
   * Stores a change of the lock. @returns false when the passphrase of `checked` holds no more, or there is none. Then
   * nothing is stored.
   */
  async #keep(change: Partial<KeptLock>, event?: LockEvent, checked?: KeptLock): Promise<boolean> {
    const stored = await this.#write((tx) => changeLock(tx, change, event, checked));
    if (stored !== undefined) this.#know(stored);
    return stored !== undefined;
  }

  async #write<T>(job: (tx: Tx) => Promise<T>): Promise<T> {
    const written = await this.#parts.database.write(job);
    this.#writes += 1;
    return written;
  }

  #tell(): void {
    this.#lookLater();
    for (const listener of [...this.#listeners]) listener();
  }
}
