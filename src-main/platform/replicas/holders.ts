import { isNull, notInArray, or, type SQL } from 'drizzle-orm';
import type { Reader } from '../database/database.ts';
import type { Column } from '../database/schema.ts';
import { replicas } from './tables.ts';

/**
 * The condition that nobody who lives holds a claim. Only living replicas of a shared database have a row. Books in a
 * data folder have no such rows: whoever opens them is alone, and all that was claimed before is free.
 */
export const isAbandoned = (on: Pick<Reader, 'select'>, holder: Column): SQL | undefined =>
  or(isNull(holder), notInArray(holder, on.select({ id: replicas.id }).from(replicas)));
