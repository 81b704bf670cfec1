import { and, asc, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { RemovedKind } from '../../../src-shared/disk-kinds.ts';
import type { Database, Reader, Tx } from '../database/database.ts';
import { rowName } from '../database/dialect.ts';
import { newerThan, type Place } from '../database/places.ts';
import type { Column, Table } from '../database/schema.ts';

/** How many rows one batch looks at. It is small, so that a request does not wait for long behind the batch. */
export const AT_ONCE = 100;
export const DAY_MS = 24 * 60 * 60_000;
/** The least that an operator may choose to keep what has ended, in days. No repetition of a request comes later. */
export const LEAST_KEPT_DAYS = 7;
/**
 * The least for the archive: a day more than answers to peers are kept, so that nobody asks about an archived packet
 * (decisions.md#D-49).
 */
export const LEAST_ARCHIVE_DAYS = 32;
export const MOST_KEPT_DAYS = 3_650;

/** What one batch of a rule did. */
export interface Batch {
  removed: number;
  /** Whether the rule may find more at once. */
  more: boolean;
  /** The place where the next batch of the same round begins, when the rule goes through rows some of which stay. */
  place?: Place | undefined;
}

/**
 * Says what the node forgets, and when. Each wing has the rules for its own tables, and src-main/assembly/retention.ts
 * lists them all.
 */
export interface RetentionRule {
  readonly kind: RemovedKind;
  /** The tables from which the rule removes rows. */
  readonly tables: readonly Table[];
  /** How long a thing is kept after its end, in milliseconds. */
  readonly keptMs: number;
  /** Whether the operator chooses that time. The others follow from what a protocol or a quote allows. */
  readonly chosen?: true;
  /**
   * Removes a few things that ended before `before`, in one short write. A crash leaves whole batches, and another
   * replica may do the same at the same time.
   * @param before milliseconds since the Unix epoch.
   * @param place where the batch before has stopped.
   */
  removeSome(database: Database, before: number, place: Place | undefined): Promise<Batch>;
}

/**
 * Removes a few of the rows that `old` selects. An index must lead to them.
 * @param clear removes what refers to the rows, in the same write.
 */
export async function removeRows(
  database: Database,
  table: Table,
  old: SQL | undefined,
  clear?: { id: Column; remove: (tx: Tx, ids: string[]) => Promise<void> },
): Promise<Batch> {
  const some = (reader: Reader, most: number) => reader.select({ name: rowName }).from(table).where(old).limit(most);
  // A round that finds nothing writes nothing.
  if ((await some(database.read, 1)).length === 0) return { removed: 0, more: false };
  return await database.write(async (tx) => {
    const gone = await tx
      .delete(table)
      .where(inArray(rowName, some(tx, AT_ONCE)))
      .returning({ id: clear === undefined ? rowName : sql<string>`${clear.id}` });
    await clear?.remove(
      tx,
      gone.map(({ id }) => String(id)),
    );
    return { removed: gone.length, more: gone.length === AT_ONCE };
  });
}

/** Rows in the order of a time, of which some go and others stay. */
interface Walk {
  table: Table;
  /** An index must lead to the rows of `among` in the order of `time` and `id`. */
  time: Column;
  id: Column;
  among?: SQL | undefined;
  /** The rows that go. The write asks again, because a row may have changed since it was read. */
  goes: SQL | undefined;
  /** Removes what refers to the rows, in the same write. */
  clear?: (tx: Tx, ids: string[]) => Promise<void>;
}

/** Looks at the next few rows of a walk, and removes those that go. */
export async function removeOnTheWay(database: Database, walk: Walk, before: number, place: Place | undefined): Promise<Batch> {
  const { table, time, id, among, goes, clear } = walk;
  const passed = place && newerThan({ createdAt: time, id }, place);
  const rows = await database.read
    .select({ id: sql<string>`${id}`, createdAt: sql<bigint>`${time}`, goes: sql<bigint>`case when ${goes} then 1 else 0 end` })
    .from(table)
    .where(and(among, lt(time, before), passed))
    .orderBy(asc(time), asc(id))
    .limit(AT_ONCE);
  const last = rows.at(-1);
  const next = { more: rows.length === AT_ONCE, place: last && { id: last.id, createdAt: Number(last.createdAt) } };
  const old = rows.filter((row) => row.goes === 1n).map((row) => row.id);
  if (old.length === 0) return { removed: 0, ...next };
  const removed = await database.write(async (tx) => {
    const still = await tx
      .select({ id: sql<string>`${id}` })
      .from(table)
      .where(and(inArray(id, old), lt(time, before), goes));
    const ids = still.map((row) => row.id);
    if (ids.length === 0) return 0;
    await clear?.(tx, ids);
    await tx.delete(table).where(inArray(id, ids));
    return ids.length;
  });
  return { removed, ...next };
}
