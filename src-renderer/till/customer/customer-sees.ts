import { useEffect } from 'react';
import { ofTab, remember, remembered } from '../../transport/browser-memory.ts';
import { stateCell } from '../../transport/state-cell.ts';
import { QUIET, type Seen } from './seen.ts';

/** What the customer of this till sees. Whatever stands on the till's screen sets it. */
export const customerSees = stateCell<Seen>(QUIET);

/** The name of the account into which the till sells. The customer reads it while the shop has no name. */
export const customerReads = stateCell('');

/** Shows this to the customer as long as the component is on the till's screen. */
export function useCustomerSees(seen: Seen): void {
  useEffect(() => customerSees.set(seen));
  useEffect(() => () => customerSees.set(QUIET), []);
}

const WATCHED = 'paydesk-till-watched';

/**
 * Remembers the sale whose code the customer sees, so that the screen shows how it ended, and nothing of older sales
 * that somebody opens at the till.
 */
export const watchSale = (id: string | undefined): void => remember(ofTab, WATCHED, id);
export const isWatched = (id: string): boolean => remembered(ofTab, WATCHED) === id;
