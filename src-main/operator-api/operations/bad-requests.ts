import { ORPCError } from '@orpc/server';
import type { Place } from '../../platform/database/places.ts';
import { fromCursor } from '../queries/places.ts';

/** A request that no console makes: it has no error of its own in the contract. */
export const badRequest = (message: string): ORPCError<'BAD_REQUEST', undefined> => new ORPCError('BAD_REQUEST', { message });

/** Reads the place a list is to go on from. @throws a bad request for a text that is no cursor. */
export function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const place = fromCursor(cursor);
  if (place === undefined) throw badRequest('This list has no such cursor.');
  return place;
}
