import { ORPCError } from '@orpc/client';

/** Whether the node refuses the passphrase of its lock: because it is wrong, or because too many were wrong before. */
export const isAboutPassphrase = (error: unknown): boolean =>
  error instanceof ORPCError && (error.code === 'WRONG_PASSPHRASE' || error.code === 'TOO_MANY_ATTEMPTS');

/** The seconds for which the node takes no passphrase, as the refusal of a wrong one says; 0 when it does not say. */
export function secondsIn(error: unknown): number {
  const data: unknown = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
  const seconds: unknown = typeof data === 'object' && data !== null && 'secondsLeft' in data ? data.secondsLeft : undefined;
  return typeof seconds === 'number' ? seconds : 0;
}
