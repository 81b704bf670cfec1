import { ACTIVITY_KINDS } from '../../src-shared/activity-kinds.ts';
import type { ActivityFilter } from '../../src-shared/operator-contract/activity.ts';
import { startOf } from '../format/day-range.ts';

/** The filters of the log as they stand in the address: days as `2026-03-14`. */
export interface ActivitySearch extends Pick<ActivityFilter, 'kind' | 'accountId' | 'text'> {
  /** The first and the last day, where the reader is. */
  from?: string | undefined;
  to?: string | undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the filters of the log from its address; what cannot be a filter is left out. */
export function parseActivitySearch({ kind, accountId, text, from, to }: Record<string, unknown>): ActivitySearch {
  const known = ACTIVITY_KINDS.find((one) => one === kind);
  // A search for digits arrives as a number, because the address holds JSON values.
  const typed = (typeof text === 'number' ? String(text) : typeof text === 'string' ? text : '').slice(0, 200);
  return {
    ...(known !== undefined && { kind: known }),
    ...(typeof accountId === 'string' && UUID.test(accountId) && { accountId }),
    ...(typed !== '' && { text: typed }),
    ...(typeof from === 'string' && startOf(from) !== undefined && { from }),
    ...(typeof to === 'string' && startOf(to) !== undefined && { to }),
  };
}

/** The same for the node. */
export function activityFilterOf({ from, to, ...filter }: ActivitySearch): ActivityFilter {
  const [first, end] = [startOf(from), startOf(to, 1)];
  return { ...filter, ...(first && { from: first }), ...(end && { before: end }) };
}

export const isFiltered = (search: ActivitySearch): boolean => Object.values(search).some((value) => value !== undefined);
