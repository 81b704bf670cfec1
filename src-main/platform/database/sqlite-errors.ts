// What SQLite's errors mean for the node (https://sqlite.org/rescode.html).

/** Tells whether, after this error, nobody knows what reached the disk. */
export const isDiskTrouble = (error: unknown): boolean => hasCode(error, /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY)/);

/** Tells whether the error means that the database file, or a part of it, cannot be read. */
export const isDamage = (error: unknown): boolean => hasCode(error, /^SQLITE_(IOERR|CORRUPT|NOTADB)/);

/**
 * Tells whether a fixed statement has failed because the file no longer has its tables or columns: the page with the
 * schema is damaged.
 */
export const isForeignSchema = (error: unknown): boolean => hasCode(error, /^SQLITE_(ERROR|SCHEMA)$/);

/** Tells whether another program holds the database. */
export const isHeld = (error: unknown): boolean => hasCode(error, /^SQLITE_BUSY/);

/**
 * Looks at the code of an error and of its causes, because the query builder wraps the driver's errors in its own. An
 * error that comes from another thread has the code, and no class of the driver.
 */
function hasCode(error: unknown, codes: RegExp): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && codes.test(String(error.code))) || hasCode(error.cause, codes);
}
