import { ORPCError } from '@orpc/server';
import { unexpectedError } from '../../src-shared/operator-contract/error-messages.ts';
import { DatabaseHeld, DatabaseStopped, NotStored } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { OperatorContext } from './context.ts';

interface Call<T> {
  request: { url: URL; signal?: AbortSignal | undefined };
  context: OperatorContext;
  next(): Promise<T>;
}

/**
 * Runs around every operation. Errors that the contract defines pass. Every other error is logged under an id, and the
 * caller gets only that id: the log alone has its message, stack and statement. A write that could not be stored keeps
 * its message, because the operator can mend the disk.
 */
export async function hideUnexpected<T>({ request, context, next }: Call<T>): Promise<T> {
  try {
    return await next();
  } catch (error) {
    if (error instanceof ORPCError && (error.defined || error.status < 500)) throw error;
    // The caller has gone, so nobody reads the answer, and nothing is wrong.
    if (request.signal?.aborted === true) throw error;
    const id = newId();
    context.log.error({ err: error, id, operation: request.url.pathname }, 'an operation of the console failed');
    if (error instanceof NotStored) {
      throw new ORPCError(codeOf(error), {
        status: 503,
        message: error.message,
        data: { id },
      });
    }
    throw new ORPCError('INTERNAL_SERVER_ERROR', { message: unexpectedError, data: { id } });
  }
}

function codeOf(error: NotStored): 'WRITES_STOPPED' | 'DATABASE_HELD' | 'NOT_STORED' {
  if (error instanceof DatabaseStopped) return 'WRITES_STOPPED';
  return error instanceof DatabaseHeld ? 'DATABASE_HELD' : 'NOT_STORED';
}
