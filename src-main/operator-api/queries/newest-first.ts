import type { Place } from '../../platform/database/places.ts';
import { comesBefore } from './places.ts';

/** Reads the next rows after `place`, newest first. Without a place it reads from the newest row. */
type ReadRows<T> = (place: Place | undefined, count: number) => Promise<T[]>;

/**
 * Yields rows one by one and reads them in pieces. Between pieces other work gets its turn. A search through many rows
 * therefore delays nothing else, and holds no snapshot of the database.
 */
export async function* inPieces<T extends Place>(read: ReadRows<T>, from: Place | undefined, size: number): AsyncGenerator<T, void, void> {
  let place = from;
  for (;;) {
    const rows = await read(place, size);
    yield* rows;
    place = rows.at(-1);
    if (place === undefined || rows.length < size) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Merges sources that are sorted newest first into one that is. */
export async function* merged<T extends Place>(sources: AsyncGenerator<T, void, void>[]): AsyncGenerator<T, void, void> {
  const heads: { row: T; source: AsyncGenerator<T, void, void> }[] = [];
  const advance = async (source: AsyncGenerator<T, void, void>) => {
    const next = await source.next();
    if (next.done !== true) heads.push({ row: next.value, source });
  };
  for (const source of sources) await advance(source);
  for (;;) {
    heads.sort((a, b) => (comesBefore(a.row, b.row) ? -1 : 1));
    const head = heads.shift();
    if (head === undefined) return;
    yield head.row;
    await advance(head.source);
  }
}
