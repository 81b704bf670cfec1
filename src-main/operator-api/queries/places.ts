import type { Place } from '../../platform/database/places.ts';
import { isId } from '../../platform/ids.ts';

/** Whether `a` comes before `b` in a list that shows the newest first (decisions.md#D-09). */
export const comesBefore = (a: Place, b: Place): boolean => (a.createdAt === b.createdAt ? a.id > b.id : a.createdAt > b.createdAt);

/** A place as text. Callers send it back without reading it. */
export const toCursor = ({ createdAt, id }: Place): string => Buffer.from(`${createdAt}.${id}`).toString('base64url');

/** @returns undefined when {@link toCursor} has not made the text. */
export function fromCursor(cursor: string): Place | undefined {
  const [time = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  const createdAt = Number(time);
  if (rest.length > 0 || !/^\d{1,16}$/.test(time) || !Number.isSafeInteger(createdAt) || !isId(id)) return undefined;
  return { createdAt, id };
}

/** One part of a list, and where the next one begins. The cursor is null after the last part. */
export interface Part<T> {
  items: T[];
  nextCursor: string | null;
}

/** Makes a part of at most `limit` items. The caller passes one item more when there are more. */
export function toPart<T>(items: T[], limit: number, placeOf: (item: T) => Place): Part<T> {
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown, nextCursor: items.length > limit && last !== undefined ? toCursor(placeOf(last)) : null };
}
