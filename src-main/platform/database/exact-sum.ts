import { type SQL, sql } from 'drizzle-orm';
import type { Column } from './schema.ts';

/**
 * The sum of int64 values over a group of rows, exact at any size. A plain `sum` that needs more than 63 bits is an
 * error in SQL. The sums of the upper and of the lower halves of the values fit, and this function adds them.
 */
export const exactSum = (column: Column | SQL<bigint>): SQL<bigint> =>
  sql`sum(${column} >> 32) || ' ' || sum(${column} & 4294967295)`.mapWith((halves: string) => {
    const [high = '0', low = '0'] = halves.split(' ');
    return (BigInt(high) << 32n) + BigInt(low);
  });
