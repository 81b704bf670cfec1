import { ORPCError } from '@orpc/client';
import { messages } from '../../src-shared/words/console/messages.ts';

/** What went wrong and what to do, for the operator. `unreachable` is said when the node did not answer at all. */
export function errorText(error: Error, unreachable: string = messages.errors.unreachable): string {
  if (!(error instanceof ORPCError)) return unreachable;
  return messages.errors.byCode[error.code] ?? messages.errors.unexpected;
}

/** Whether what was asked for does not exist, or could not: an id from an old or broken link. */
export const namesNothing = (error: Error): boolean => error instanceof ORPCError && (error.status === 404 || error.status === 400);

/** Whether the operation may have been done although it failed here: only the same request may be repeated then. */
export const outcomeUnknown = (error: Error | null): boolean => error !== null && (!(error instanceof ORPCError) || error.status >= 500);
