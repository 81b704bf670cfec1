import { setTimeout as delay } from 'node:timers/promises';
import { and, eq, inArray, lt } from 'drizzle-orm';
import { sharedDatabaseProblems as problems } from '../../../src-shared/words/terminal/shared-database.ts';
import type { Core } from '../core.ts';
import type { Tx } from '../database/database.ts';
import type { Beat, Heartbeat } from '../database/postgres/heartbeat.ts';
import { ReportedError } from '../errors.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { ReplicaReport } from './listed.ts';
import type { OwnReplica } from './own-replica.ts';
import { replicas } from './tables.ts';

/** The time between two beats of a replica, and the silence after which it counts as dead, in milliseconds. */
const BEAT_MS = 1_000;
const DEAD_MS = 5_000;
/** The longest wait of a replica's end for the server, in milliseconds. */
const PATIENCE_MS = 2_000;
/** The shortest pause between two beats, in milliseconds. */
const LEAST_MS = 50;
/** The most by which the clock of a replica may differ from that of the database server, in milliseconds. */
const MOST_DIFFERENCE_MS = 2_000;

/** The facts that a replica tells of itself when it starts. */
type Introduction = Pick<typeof replicas.$inferInsert, 'id' | 'name' | 'version' | 'host' | 'url' | 'configuration'>;

/** The reason why a replica should get no requests. */
export type Unfit = 'leaving' | 'unheard' | 'wrong_clock' | 'schema_too_new';

interface Parts extends Pick<Core, 'database' | 'log'> {
  heartbeat: Heartbeat;
  /** It hears with each beat what the time is at the server. */
  clock: DatabaseClock;
  self: Introduction;
  /** The host, port and name of the database, for the operator. */
  where: string;
  /** The time of the newest migration that this version knows. */
  newestMigration: number;
  /** The number of turns that this process has had since its start. */
  turns: () => number;
}

/**
 * Frees the work of replicas that are gone, in the write that removes them, or stores what they had when they return.
 * @param at the time of that, by the clock of the database.
 */
export type Release = (tx: Tx, at: number) => Promise<unknown>;

/**
 * This process among the replicas that share its database. It beats once a second, outside of the turns: it tells that
 * it lives, and hears who else does. A replica that finds a dead one removes it and frees its work, in one write. The
 * clock of the server alone decides which one is dead.
 */
export class Replicas implements OwnReplica {
  readonly id: string;
  readonly #parts: Parts;
  readonly #releases: Release[] = [];
  readonly #wakes: (() => void)[] = [];
  readonly #returns: Release[] = [];
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #latest: Beat | undefined;
  /** The time at which the latest beat was answered, by the monotonic clock. */
  #heardAt = Number.NEGATIVE_INFINITY;
  /** The number of turns until the beat before, and the time of that beat, by the monotonic clock. */
  #counted: { turns: number; at: number } | undefined;
  #isLeaving = false;
  #hasEnded = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.id = parts.self.id;
  }

  /** What the operator calls this replica, and the name of its computer. */
  get place(): Pick<Introduction, 'name' | 'host'> {
    const { name, host } = this.#parts.self;
    return { name, host };
  }

  get living(): number {
    return Math.max(1, this.#others().length + 1);
  }

  /**
   * Whether this replica does the chores: the eldest that lives and stays does them. Two may do them for a moment,
   * which does no harm.
   */
  get doesChores(): boolean {
    if (this.#isLeaving || this.unfit === 'unheard') return false;
    const own = this.#latest?.replicas.find(({ id }) => id === this.id);
    if (own === undefined) return false;
    return this.#others().every((other) => other.startedAt > own.startedAt || (other.startedAt === own.startedAt && other.id > own.id));
  }

  /** The reason why this replica should get no requests now. */
  get unfit(): Unfit | undefined {
    if (this.#isLeaving) return 'leaving';
    if (this.#parts.clock.monotonic() - this.#heardAt > DEAD_MS) return 'unheard';
    if (Math.abs(this.#parts.clock.ahead) > MOST_DIFFERENCE_MS) return 'wrong_clock';
    if ((this.#latest?.oldestReader ?? 0) > this.#parts.newestMigration) return 'schema_too_new';
    return undefined;
  }

  /**
   * Says what to free when a replica is gone. The caller does so before {@link start}.
   * @param wake is called afterwards, because there may be work.
   */
  onGone(release: Release, wake: () => void = () => undefined): void {
    this.#releases.push(release);
    this.#wakes.push(wake);
  }

  /** Says what to store again when others had taken this replica for dead, in the write in which it comes back. */
  onReturn(restore: Release): void {
    this.#returns.push(restore);
  }

  /** Hears what the time is at the server. @throws ReportedError when the clock of this computer is wrong. */
  async compareClocks(): Promise<void> {
    await this.#beat();
    const { clock, where } = this.#parts;
    if (this.unfit === 'wrong_clock') {
      throw new ReportedError(problems.wrongClock({ seconds: (Math.abs(clock.ahead) / 1_000).toFixed(1), where }));
    }
  }

  /** Enters this process among the replicas. @throws ReportedError when the clock of this computer is wrong. */
  async join(): Promise<void> {
    await this.compareClocks();
    await this.#enter();
    await this.#beat();
    await this.#compareSettings();
  }

  /** Beats from now on. */
  start(): void {
    this.#timer = setTimeout(() => {
      this.#beating = this.look().then(() => {
        if (!this.#hasEnded) this.start();
      });
    }, this.#pause()).unref();
  }

  /** Beats once, and removes those that are dead. It never fails. */
  async look(): Promise<void> {
    try {
      await this.#beat();
      if (this.#latest?.isKnown === false) await this.#enter();
      await this.#removeDead();
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the other replicas could not be told that this one lives');
    }
  }

  /** Says from now on that this replica is about to end. Others see that with their next beat. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    await this.#soon((tx) => tx.update(replicas).set({ leaving: true }).where(eq(replicas.id, this.id)));
  }

  /** Ends the beats, removes the own row, and frees its own work. */
  async end(): Promise<void> {
    this.#isLeaving = true;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    await this.#beating;
    await this.#parts.heartbeat.close();
    const at = this.#parts.clock.now();
    await this.#soon(async (tx) => {
      await tx.delete(replicas).where(eq(replicas.id, this.id));
      for (const release of this.#releases) await release(tx, at);
    });
  }

  /** Stores what the others should know. Without an answer of the server, they find out by themselves. */
  async #soon(job: (tx: Tx) => Promise<unknown>): Promise<void> {
    const { database, log } = this.#parts;
    const stored = database
      .write(job)
      .catch((error: unknown) => log.warn({ err: error }, 'the other replicas could not be told that this one ends'));
    await Promise.race([stored, delay(PATIENCE_MS, undefined, { ref: false })]);
  }

  get #word(): string {
    return `replica:${this.id}`;
  }

  /** The others that live and stay, by the latest beat. */
  #others(): Beat['replicas'] {
    const { now, replicas: heard } = this.#latest ?? { now: 0, replicas: [] };
    return heard.filter(({ id, seenAt, leaving }) => id !== this.id && !leaving && now - seenAt < DEAD_MS);
  }

  /** Beats once, and hears what the time is at the server. */
  async #beat(): Promise<void> {
    const { heartbeat, clock } = this.#parts;
    const asked = clock.monotonic();
    const report: ReplicaReport = { ahead: Math.round(clock.ahead), turns: this.#turnsASecond(asked) };
    const beat = await heartbeat.beat(this.id, JSON.stringify(report));
    this.#heardAt = clock.monotonic();
    clock.hears(beat.now, asked);
    this.#latest = beat;
  }

  /** The turns that this process has had a second since the beat before. It is null at the first beat. */
  #turnsASecond(at: number): number | null {
    const [turns, before] = [this.#parts.turns(), this.#counted];
    this.#counted = { turns, at };
    return before === undefined || at <= before.at ? null : Math.round(((turns - before.turns) * 10_000) / (at - before.at)) / 10;
  }

  /** Makes the own row: at the start, and when others took this process for dead while it stood still. */
  async #enter(): Promise<void> {
    const { database, self } = this.#parts;
    const at = this.#latest?.now ?? 0;
    const row = { ...self, startedAt: at, seenAt: at, leaving: this.#isLeaving, report: '{}' };
    await database.write(
      async (tx) => {
        await tx.insert(replicas).values(row).onConflictDoNothing();
        for (const restore of this.#returns) await restore(tx, at);
      },
      [this.#word],
    );
  }

  /** A balancer sends requests to any replica, so that settings must not depend on which one answers. */
  async #compareSettings(): Promise<void> {
    const { database, log, self } = this.#parts;
    const all = await database.read.select({ name: replicas.name, configuration: replicas.configuration }).from(replicas);
    const others = all.filter(({ configuration }) => configuration !== self.configuration).map(({ name }) => name);
    if (others.length > 0) log.warn({ others }, 'the settings of this replica differ from those of others');
  }

  /** Removes the replicas that have not been heard of for too long, unless they were heard of since. */
  async #removeDead(): Promise<void> {
    const { database, clock, log } = this.#parts;
    const { now, replicas: heard } = this.#latest ?? { now: 0, replicas: [] };
    const dead = heard.filter(({ id, seenAt }) => id !== this.id && now - seenAt >= DEAD_MS).map(({ id }) => id);
    if (dead.length === 0) return;
    const at = clock.now();
    const gone = await database.write(async (tx) => {
      const isDead = and(inArray(replicas.id, dead), lt(replicas.seenAt, now - DEAD_MS + 1));
      const removed = await tx.delete(replicas).where(isDead).returning({ id: replicas.id, name: replicas.name });
      if (removed.length > 0) for (const release of this.#releases) await release(tx, at);
      return removed;
    });
    if (gone.length === 0) return;
    log.warn({ gone }, 'a replica is gone; the others go on with what it had begun');
    for (const wake of this.#wakes) wake();
  }

  /** The pause before the next beat. It is shorter when somebody will count as dead before. */
  #pause(): number {
    const { now, replicas: heard } = this.#latest ?? { now: 0, replicas: [] };
    const left = heard.filter(({ id }) => id !== this.id).map(({ seenAt }) => seenAt + DEAD_MS - now + 1);
    return Math.max(LEAST_MS, Math.min(BEAT_MS, ...left));
  }
}
