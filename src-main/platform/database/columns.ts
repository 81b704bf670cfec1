import { customType } from 'drizzle-orm/sqlite-core';

// The driver hands over bigint, string or null, nothing else. drizzle's own integer columns cannot take the bigints, so
// every column of the node comes from here (and `text`, which needs no conversion).
export { text } from 'drizzle-orm/sqlite-core';

const UINT64_MAX = 2n ** 64n - 1n;

function toSafeInteger(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('integer outside the safe range');
  return number;
}

/** A signed 64-bit integer: money that moves, positions. */
export const int64 = customType<{ data: bigint; driverData: bigint }>({
  dataType: () => 'integer',
  fromDriver: (value) => value,
  toDriver: (value) => value,
});

/** An integer within ±2^53: counts and scales, never money. */
export const int53 = customType<{ data: number; driverData: bigint }>({
  dataType: () => 'integer',
  fromDriver: toSafeInteger,
  toDriver: (value) => BigInt(value),
});

/** An unsigned 64-bit integer as 20 digits of text, which sorts and compares as its value; arithmetic happens in TypeScript. */
export const uint64 = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'text',
  fromDriver: (value) => BigInt(value),
  toDriver: (value) => {
    if (value < 0n || value > UINT64_MAX) throw new RangeError('not an unsigned 64-bit integer');
    return value.toString().padStart(20, '0');
  },
});

export const bool = customType<{ data: boolean; driverData: bigint }>({
  dataType: () => 'integer',
  fromDriver: (value) => value === 1n,
  toDriver: (value) => (value ? 1n : 0n),
});

/** A moment as milliseconds since the Unix epoch. */
export const timestampMs = customType<{ data: number; driverData: bigint }>({
  dataType: () => 'integer',
  fromDriver: toSafeInteger,
  toDriver: (value) => BigInt(value),
});

/** A JSON value kept as opaque text: the database never looks inside. */
export const json = <T>(name: string) =>
  customType<{ data: T; driverData: string }>({
    dataType: () => 'text',
    fromDriver: (value) => JSON.parse(value) as T,
    toDriver: (value) => JSON.stringify(value),
  })(name);
