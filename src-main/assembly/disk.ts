import { Worker } from 'node:worker_threads';
import type { DiskAnswer } from '../../src-shared/operator-contract/health.ts';
import { archivedBytes } from '../platform/archive/archive.ts';
import { type Beginning, beginningAt, passedSince } from '../platform/clock.ts';
import type { Core } from '../platform/core.ts';
import type { DiskUse } from '../platform/database/space.ts';
import { heldClock } from '../platform/retention/clock-guard.ts';
import { growthPerDay } from '../platform/retention/disk-days.ts';
import { DAY_MS, type RetentionRule } from '../platform/retention/rule.ts';
import { TABLES } from './retention.ts';

/** A measurement counts for this long, in milliseconds. Each one reads the whole file. */
const FRESH_MS = 10 * 60_000;

interface Parts extends Pick<Core, 'database' | 'clock'> {
  /** What the node removes. */
  rules: readonly RetentionRule[];
  /** Measures the database file, not in the main thread. */
  measure: () => Promise<DiskUse>;
}

/** @returns a function that says what takes how much room, and what will be removed when. It measures now and then. */
export function diskReport({ database, clock, rules, measure }: Parts): () => Promise<DiskAnswer> {
  let last: { at: Beginning; use: Promise<DiskUse> } | undefined;
  return async () => {
    if (last === undefined || passedSince(last.at, clock) > FRESH_MS) last = { at: beginningAt(clock), use: measure() };
    const { at, use } = last;
    const measured = await use.catch((error: unknown) => {
      last = undefined;
      throw error;
    });
    const [perDay, held] = [await growthPerDay(database, clock.now()), await heldClock(database.read)];
    return {
      ...answerOf(measured, await archivedBytes(database.read)),
      at: new Date(at.now),
      removed: rules.map(({ kind, keptMs }) => ({ kind, days: keptMs / DAY_MS })),
      perDay: perDay ?? null,
      held: held === undefined ? null : { before: new Date(held.provenAt), until: new Date(held.until) },
    };
  };
}

function answerOf(
  { tables, free, total, room, shrinks }: DiskUse,
  archived: number,
): Omit<DiskAnswer, 'at' | 'removed' | 'perDay' | 'held'> {
  const sums = new Map<DiskAnswer['kinds'][number]['kind'], number>([['archive', archived]]);
  for (const { table, bytes } of tables) {
    const kind = TABLES[table]?.kind ?? 'settings';
    sums.set(kind, (sums.get(kind) ?? 0) + bytes);
  }
  const kinds = [...sums].map(([kind, bytes]) => ({ kind, bytes })).toSorted((a, b) => b.bytes - a.bytes);
  return { total: total + archived, free, room, shrinks, kinds };
}

/** Measures a database file in a thread. @param workerFile the built thread. */
export const measureInThread = (workerFile: string, file: string): Promise<DiskUse> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData: file });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread ended without an answer')));
  });
