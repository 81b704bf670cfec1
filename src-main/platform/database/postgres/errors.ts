/** The connection to the server is gone. What was sent last may have happened or not. */
export class ConnectionLost extends Error {}

/**
 * The SQLSTATE of an error of the server (PostgreSQL, appendix A). It is undefined for every other error. The query
 * builder wraps the driver's errors in its own, so the causes are looked at, too.
 */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // Errors of the system have codes of five letters as well (EPIPE), but no severity.
  if ('severity' in error && 'code' in error) return String(error.code);
  return sqlState(error.cause);
}

const is = (error: unknown, states: RegExp): boolean => states.test(sqlState(error) ?? '');

/**
 * Tells whether the session cannot be used after this error: the connection failed (08), an administrator or a time-out
 * ended it (57P, 25P03, 25P04), the server takes no more connections (53300), or it has become a standby that only
 * reads (25006).
 */
export const endsSession = (error: unknown): boolean => is(error, /^(08...|57P..|25P03|25P04|53300|25006)$/);

/**
 * Tells whether the same transaction may succeed when it runs again. Turns cannot disturb each other, so this comes
 * from another program that has rows locked (40P01, 55P03), or from a server that is another product (40001).
 */
export const mayPass = (error: unknown): boolean => is(error, /^(40001|40P01|55P03)$/);

/**
 * Tells whether the server itself is in trouble: no disk or memory (53), an error of its system (58), or an inner one
 * (XX).
 */
export const isServerTrouble = (error: unknown): boolean => is(error, /^(53|58|XX)/);

/**
 * Tells whether the server cannot read a part of the database: a page or a value of a table (XX001), or an index
 * (XX002).
 */
export const isDamageAtServer = (error: unknown): boolean => is(error, /^XX00[12]$/);

/** Tells whether a statement was refused only because an earlier one of its transaction had failed. */
export const isAfterFailure = (error: unknown): boolean => is(error, /^25P02$/);
