import { customType } from 'drizzle-orm/sqlite-core';

// A tables.ts file imports everything it needs from here, so that only this folder knows which engine stores the rows.
export {
  check,
  index,
  primaryKey,
  type SQLiteColumn as Column,
  type SQLiteTable as Table,
  sqliteTable as table,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';

// The driver returns only bigint, string and null. drizzle's own integer columns do not take bigints, and its own text
// columns take texts that PostgreSQL refuses. The node therefore uses the columns of this file.

const UINT64_MAX = 2n ** 64n - 1n;

function toSafeInteger(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('integer outside the safe range');
  return number;
}

/**
 * A column whose values have another type in the node than in the driver. Null stays null, because drizzle also
 * converts the null that fills a placeholder of a prepared query.
 */
function column<T, D>(dataType: 'integer' | 'text', fromDriver: (value: D) => T, toDriver: (value: T) => D) {
  return customType<{ data: T; driverData: D | null }>({
    dataType: () => dataType,
    fromDriver: (value) => {
      if (value === null) throw new TypeError('null where drizzle never passes it');
      return fromDriver(value);
    },
    toDriver: (value: T | null) => (value === null ? null : toDriver(value)),
  });
}

const same = (value: bigint): bigint => value;

/** Refuses a NUL character, which PostgreSQL cannot store (protocol-notes.md#PN-50). */
function withoutNul(value: string): string {
  if (value.includes('\0')) throw new RangeError('a text with a NUL character cannot be stored');
  return value;
}

/** A text. A RangeError refuses one with a NUL character, with every engine. */
export const text = column<string, string>('text', (value) => value, withoutNul);

/** A signed 64-bit integer, for amounts that move and for positions. */
export const int64 = column<bigint, bigint>('integer', same, same);

/** An integer within ±2^53, for counts and scales. Money never uses it. */
export const int53 = column<number, bigint>('integer', toSafeInteger, BigInt);

/**
 * An unsigned 64-bit integer, stored as 20 digits of text. The text sorts and compares as the integer does. Arithmetic
 * happens in TypeScript.
 */
export const uint64 = column<bigint, string>('text', BigInt, (value) => {
  if (value < 0n || value > UINT64_MAX) throw new RangeError('not an unsigned 64-bit integer');
  return value.toString().padStart(20, '0');
});

export const bool = column<boolean, bigint>(
  'integer',
  (value) => value === 1n,
  (value) => (value ? 1n : 0n),
);

/** A moment, in milliseconds since the Unix epoch. */
export const timestampMs = column<number, bigint>('integer', toSafeInteger, BigInt);

/** A JSON value, stored as text. The database never looks inside. */
export const json = <T>(name: string) => column<T, string>('text', (value) => JSON.parse(value) as T, JSON.stringify)(name);
