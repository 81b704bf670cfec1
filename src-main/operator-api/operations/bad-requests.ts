import { ORPCError } from '@orpc/server';
import { badRequests } from '../../../src-shared/operator-contract/error-messages.ts';
import type { Place } from '../../platform/database/places.ts';
import { fromCursor } from '../queries/places.ts';

/** The answer to a request that no console sends. The contract has no error of its own for it. */
export const badRequest = (message: string): ORPCError<'BAD_REQUEST', undefined> => new ORPCError('BAD_REQUEST', { message });

/**
 * Reads the place from which a list goes on.
 * @throws a bad request when the text is not a cursor.
 */
export function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const place = fromCursor(cursor);
  if (place === undefined) throw badRequest(badRequests.noSuchCursor);
  return place;
}
