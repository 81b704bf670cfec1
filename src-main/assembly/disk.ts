import { Worker } from 'node:worker_threads';
import type { DiskAnswer } from '../../src-shared/operator-contract/health.ts';
import type { Clock } from '../platform/clock.ts';
import type { DiskUse } from '../platform/database/space.ts';
import { DAY_MS } from '../platform/retention/rule.ts';
import { RETENTION_RULES, TABLES } from './retention.ts';

/** For how long a measurement counts, in milliseconds. Each one reads the whole file. */
const FRESH_MS = 10 * 60_000;

interface Parts {
  clock: Clock;
  /** Measures the database file, not in the main thread. */
  measure: () => Promise<DiskUse>;
}

/** @returns a function that says what takes how much room, and what will be removed when. It measures now and then. */
export function diskReport({ clock, measure }: Parts): () => Promise<DiskAnswer> {
  let last: { at: number; use: Promise<DiskUse> } | undefined;
  return async () => {
    const now = clock.now();
    if (last === undefined || Math.abs(now - last.at) > FRESH_MS) last = { at: now, use: measure() };
    const { at, use } = last;
    const measured = await use.catch((error: unknown) => {
      last = undefined;
      throw error;
    });
    return { ...answerOf(measured), at: new Date(at) };
  };
}

function answerOf({ tables, free, total, room, shrinks }: DiskUse): Omit<DiskAnswer, 'at'> {
  const sums = new Map<DiskAnswer['kinds'][number]['kind'], number>();
  for (const { table, bytes } of tables) {
    const kind = TABLES[table]?.kind ?? 'settings';
    sums.set(kind, (sums.get(kind) ?? 0) + bytes);
  }
  const kinds = [...sums].map(([kind, bytes]) => ({ kind, bytes })).toSorted((a, b) => b.bytes - a.bytes);
  const removed = RETENTION_RULES.map(({ kind, keptMs }) => ({ kind, days: keptMs / DAY_MS }));
  return { total, free, room, shrinks, kinds, removed };
}

/** Measures a database file in a thread. @param workerFile the built thread. */
export const measureInThread = (workerFile: string, file: string): Promise<DiskUse> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData: file });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread ended without an answer')));
  });
