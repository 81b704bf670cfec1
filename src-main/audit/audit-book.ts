import { appendEvent } from '../journal/events.ts';
import { type Damage, type Finding, keyOf, lastGoodRound, listDamages, recordDamages, recordRound } from '../ledger/audit/damages.ts';
import { closePiece } from '../ledger/audit/pieces.ts';
import type { Core } from '../platform/core.ts';
import type { Step } from './round.ts';

/**
 * Keeps what the audit has found, in memory and in the books. Damage counts from the moment in which it is found. It
 * stands until a whole round does not find it again, because somebody has mended or restored the books.
 */
export class AuditBook {
  readonly #parts: Pick<Core, 'database' | 'clock' | 'log'>;
  /** The damage that stands, by its key. */
  #standing: ReadonlyMap<string, Damage> = new Map();
  #goodAt: number | undefined;
  #failedAt: number | undefined;
  /** What the present round has found, by its key. */
  readonly #found = new Map<string, Finding>();

  constructor(parts: Pick<Core, 'database' | 'clock' | 'log'>) {
    this.#parts = parts;
  }

  /** Reads what an earlier run has found. */
  async load(): Promise<void> {
    this.#standing = byKey(await listDamages(this.#parts.database.read));
    this.#goodAt = await lastGoodRound(this.#parts.database.read);
  }

  /** The damage that stands, oldest first. */
  get damages(): readonly Damage[] {
    return [...this.#standing.values()];
  }

  /**
   * The time at which the last round began that found nothing wrong, in milliseconds since the Unix epoch. It is
   * undefined when there was none.
   */
  get goodAt(): number | undefined {
    return this.#goodAt;
  }

  /**
   * The time since which every round has ended early, for another reason than damage, in milliseconds since the Unix
   * epoch. It is undefined while rounds end as they should.
   */
  get failedAt(): number | undefined {
    return this.#failedAt;
  }

  /** A round has ended early, and not because of damage. */
  failed(): void {
    this.#failedAt ??= this.#parts.clock.now();
  }

  /** Begins a round. What an interrupted one has found stands, but the new round looks again. */
  beginRound(): void {
    this.#found.clear();
  }

  /** Takes what a step of a round has found. Pieces are closed only while no damage stands. */
  async take({ findings, close }: Step): Promise<void> {
    if (findings.length > 0) await this.#record(findings);
    if (close !== undefined && this.#standing.size === 0) await this.#parts.database.write((tx) => closePiece(tx, close));
  }

  /** Tells that a read of the node has failed, because the database is damaged. It never throws. */
  unreadable(error: unknown): void {
    const finding: Finding = { owner: '', finding: 'unreadable', place: 'database' };
    if (this.#standing.has(keyOf(finding))) return;
    this.#parts.log.error({ err: error }, 'the database could not be read');
    void this.#record([finding]).catch((err: unknown) => this.#parts.log.error({ err }, 'the damage could not be recorded'));
  }

  /**
   * Ends a round that has seen everything, and takes back what it has not found again.
   * @param beganAt when the round began, in milliseconds since the Unix epoch.
   */
  async endRound(beganAt: number): Promise<void> {
    const { database, clock, log } = this.#parts;
    const at = clock.now();
    const mended = await database.write(async (tx) => {
      const gone = await recordRound(tx, { found: this.#found, beganAt, endedAt: at });
      for (const { finding, place } of gone) await appendEvent(tx, { type: 'books.mended', subject: place, body: { finding }, at });
      return gone;
    });
    this.#failedAt = undefined;
    if (mended.length > 0) log.warn({ mended }, 'damage in the books is mended');
    const gone = new Set(mended.map(keyOf));
    this.#standing = byKey(this.damages.filter((damage) => !gone.has(keyOf(damage))));
    if (this.#found.size === 0) this.#goodAt = beganAt;
  }

  async #record(findings: readonly Finding[]): Promise<void> {
    const { database, clock, log } = this.#parts;
    const found = byKey(findings);
    for (const [key, finding] of found) this.#found.set(key, finding);
    const fresh = [...found.values()].filter((finding) => !this.#standing.has(keyOf(finding)));
    if (fresh.length === 0) return;
    const foundAt = clock.now();
    // The console and the door of the public API know it at once, also when it cannot be stored.
    this.#standing = byKey([...this.damages, ...fresh.map((finding) => ({ ...finding, goodAt: this.#goodAt ?? null, foundAt }))]);
    log.error({ found: fresh }, 'the books are damaged');
    await database.write(async (tx) => {
      await recordDamages(tx, fresh, foundAt);
      for (const { finding, place } of fresh)
        await appendEvent(tx, { type: 'books.damaged', subject: place, body: { finding }, at: foundAt });
    });
  }
}

const byKey = <T extends Finding>(findings: readonly T[]): Map<string, T> => new Map(findings.map((finding) => [keyOf(finding), finding]));
