import { ORPCError } from '@orpc/server';
import { operatorErrors, unexpectedError } from '../../src-shared/operator-contract/error-messages.ts';
import { storageWords } from '../../src-shared/words/storage.ts';
import { BooksDamaged } from '../ledger/audit/damages.ts';
import { isDamage } from '../platform/database/damage.ts';
import { DatabaseHeld, DatabaseStopped, NotStored } from '../platform/database/database.ts';
import { isDamageAtServer } from '../platform/database/postgres/errors.ts';
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
 * its message, because the operator can mend the disk. So does damage in the books.
 */
export async function hideUnexpected<T>({ request, context, next }: Call<T>): Promise<T> {
  try {
    return await next();
  } catch (error) {
    if (error instanceof ORPCError && (error.defined || error.status < 500)) throw error;
    // The caller has gone, so nobody reads the answer, and nothing is wrong.
    if (request.signal?.aborted === true) throw error;
    if (error instanceof BooksDamaged) throw new ORPCError('ACCOUNT_DAMAGED', { status: 503, message: operatorErrors.accountDamaged });
    const id = newId();
    context.log.error({ err: error, id, operation: request.url.pathname }, 'an operation of the console failed');
    throw ofStorage(error, id) ?? new ORPCError('INTERNAL_SERVER_ERROR', { message: unexpectedError, data: { id } });
  }
}

/** What the operator is told of an error of the disk or the database. It is undefined for every other error. */
function ofStorage(error: unknown, id: string): Error | undefined {
  const told = (code: string, message: string) => new ORPCError(code, { status: 503, message, data: { id } });
  if (isDamageAtServer(error)) return told('DATABASE_SERVER_DAMAGED', storageWords.damagedAtServer);
  if (isDamage(error)) return told('DATABASE_DAMAGED', storageWords.damaged);
  if (!(error instanceof NotStored)) return undefined;
  return told(codeOf(error), error.message);
}

function codeOf(error: NotStored): 'WRITES_STOPPED' | 'DATABASE_HELD' | 'NOT_STORED' {
  if (error instanceof DatabaseStopped) return 'WRITES_STOPPED';
  return error instanceof DatabaseHeld ? 'DATABASE_HELD' : 'NOT_STORED';
}
