import { ORPCError } from '@orpc/client';
import { messages } from '../../src-shared/words/console/messages.ts';

/** Tells the operator what went wrong and what to do. `unreachable` is the text for a node that did not answer. */
export function errorText(error: Error, unreachable: string = messages.errors.unreachable): string {
  if (!(error instanceof ORPCError)) return unreachable;
  const byCode: Readonly<Record<string, string>> = messages.errors.byCode;
  return byCode[error.code] ?? messages.errors.unexpected;
}

/** Whether the thing that was asked for does not exist, for example because its id is from an old or broken link. */
export const namesNothing = (error: Error): boolean => error instanceof ORPCError && (error.status === 404 || error.status === 400);

/**
 * Whether the node may have done the operation although it failed here. Then only the same request may be sent again.
 */
export const outcomeUnknown = (error: Error | null): boolean => error !== null && (!(error instanceof ORPCError) || error.status >= 500);
