import { ORPCError } from '@orpc/server';
import { sharedDatabaseProblems } from '../../src-shared/words/terminal/shared-database.ts';

/**
 * @param part what only a node has whose books are in its data folder.
 * @throws ORPCError when the books are in a shared database, with what the operator can do instead. It is the same on
 * every transport.
 */
export function ofOwnBooks<T>(part: T | undefined): T {
  if (part === undefined) throw new ORPCError('SHARED_BOOKS', { status: 409, message: sharedDatabaseProblems.restores });
  return part;
}
