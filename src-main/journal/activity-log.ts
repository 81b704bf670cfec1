import { createHash } from 'node:crypto';
import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import { type Database, prepared, type Reader, type Tx } from '../platform/database/database.ts';
import type { Act } from './acting.ts';
import type { NewEvent } from './stored-events.ts';
import { activities, activityHead } from './tables.ts';

/**
 * One entry of the activity log, which lists everything that the operator did. Each entry holds a hash over itself and
 * the entry before it, and the newest hash is also kept as the head of this chain. A person who changes or removes any
 * entry, even the last one, breaks the chain. Entries are only appended, each in the write of what it tells of.
 */
export type Activity = typeof activities.$inferSelect;
type Entry = Omit<Activity, 'hash'>;

/** The id of the only row in the table of the head. */
const HEAD = 'head';

/** The first entry uses it as the hash of the entry before it. */
const ROOT = 'paydesk activity log 1';

/**
 * Computes the hash of an entry, in hexadecimal. An entry that names nobody, as all did before the node knew persons,
 * is hashed without a word about who did it.
 * @param before the hash of the entry before it, in hexadecimal.
 */
function hashOf(before: string, { number, at, operation, type, subject, walletAddressId, body, ...by }: Entry): string {
  const facts: unknown[] = [number, at, operation, type, subject, walletAddressId, Object.entries(body)];
  const who = [by.byKind, by.byId, by.byName, by.byRole];
  if (who.some((fact) => fact !== null)) facts.push(who);
  return createHash('sha256')
    .update(`${before}\n${JSON.stringify(facts)}`)
    .digest('hex');
}

const headOf = prepared((reader: Reader) => reader.select().from(activityHead).where(eq(activityHead.id, HEAD)).prepare());

/** Enters an act into the activity log, within the write job that does it. */
export async function appendActivity(tx: Tx, { operation, by }: Act, event: NewEvent): Promise<void> {
  const [head] = await headOf(tx).execute();
  const { type, subject, at, walletAddressId = null } = event;
  const body = { ...by?.from, ...event.body };
  const who = { byKind: by?.kind ?? null, byId: by?.id ?? null, byName: by?.name ?? null, byRole: by?.role ?? null };
  const entry: Entry = { number: (head?.number ?? 0) + 1, at, operation, type, subject, walletAddressId, body, ...who };
  const hash = hashOf(head?.hash ?? ROOT, entry);
  await tx.insert(activities).values({ ...entry, hash });
  const next = { number: entry.number, hash };
  await tx
    .insert(activityHead)
    .values({ id: HEAD, ...next })
    .onConflictDoUpdate({ target: activityHead.id, set: next });
}

/**
 * The condition of the activity log. `checked` is how many entries the present round has read. One round follows the
 * other.
 */
type LogCondition = { whole: true; entries: number; checked: number } | { whole: false; entries: number; brokenAt: number };

/** The number of entries that one look reads. Reading them takes a few milliseconds. */
const AT_ONCE = 500;

const after = prepared((reader: Reader) =>
  reader
    .select()
    .from(activities)
    .where(and(gt(activities.number, sql.placeholder('number')), lte(activities.number, sql.placeholder('last'))))
    .orderBy(asc(activities.number))
    .limit(AT_ONCE)
    .prepare(),
);
const byNumber = prepared((reader: Reader) =>
  reader
    .select({ hash: activities.hash })
    .from(activities)
    .where(eq(activities.number, sql.placeholder('number')))
    .prepare(),
);
const lastOne = prepared((reader: Reader) =>
  reader
    .select({ number: sql<bigint>`coalesce(max(${activities.number}), 0)` })
    .from(activities)
    .prepare(),
);

/**
 * Checks the activity log again and again. Each look reads a part of it, so that a look is cheap however long the log
 * is. Each look also checks the end of the chain.
 */
export class ActivityCheck {
  readonly #database: Database;
  #place = { number: 0, hash: ROOT };
  /** The length of the longest log that was seen. The log must never get shorter. */
  #longest = 0;
  #brokenAt: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads the next part. A log that was found broken counts as broken until the next start of the node. */
  async look(): Promise<LogCondition> {
    const { read } = this.#database;
    const [head] = await headOf(read).execute();
    const entries = head?.number ?? 0;
    this.#brokenAt ??= await this.#brokenEnd(read, head);
    if (this.#brokenAt === undefined && entries > 0) await this.#readOn(read, entries);
    if (this.#brokenAt !== undefined) return { whole: false, entries, brokenAt: this.#brokenAt };
    return { whole: true, entries, checked: this.#place.number };
  }

  /** Reads everything that this round has not read yet. */
  async lookAtAll(signal?: AbortSignal): Promise<LogCondition> {
    for (;;) {
      signal?.throwIfAborted();
      const found = await this.look();
      if (!found.whole || found.checked >= found.entries) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #brokenEnd(read: Reader, head: { number: number; hash: string } | undefined): Promise<number | undefined> {
    const number = head?.number ?? 0;
    if (number < this.#longest) return number + 1;
    const [last] = await lastOne(read).execute();
    // Entries that were appended after the head was read make the log longer than the head says. A shorter log was cut
    // off.
    if (Number(last?.number ?? 0) < number) return Number(last?.number ?? 0) + 1;
    if (head === undefined) return Number(last?.number ?? 0) > 0 && (await headOf(read).execute()).length === 0 ? 1 : undefined;
    const [end] = await byNumber(read).execute({ number });
    if (end?.hash !== head.hash) return number;
    this.#longest = number;
    return undefined;
  }

  async #readOn(read: Reader, last: number): Promise<void> {
    if (this.#place.number >= last) this.#place = { number: 0, hash: ROOT };
    const rows = await after(read).execute({ number: this.#place.number, last });
    for (const { hash, ...entry } of rows) {
      const expected = this.#place.number + 1;
      if (entry.number !== expected || hashOf(this.#place.hash, entry) !== hash) {
        this.#brokenAt = expected;
        return;
      }
      this.#place = { number: expected, hash };
    }
    if (rows.length < AT_ONCE && this.#place.number < last) this.#brokenAt = this.#place.number + 1;
  }
}
