import { ACTIVITY_KINDS } from '../../src-shared/activity-kinds.ts';
import type { ActivityFilter } from '../../src-shared/operator-contract/activity.ts';
import { startOf } from '../../src-shared/words/day-input.ts';
import { isId, typedText } from '../components/filters/search-params.ts';

/** The filters of the log as they stand in the address. Days are written as `2026-03-14`. */
export interface ActivitySearch extends Pick<ActivityFilter, 'kind' | 'accountId' | 'by' | 'text'> {
  /** The first and the last day, in the reader's time zone. */
  from?: string | undefined;
  to?: string | undefined;
}

/** No id of a person or a key is longer. */
const MOST_ID = 100;

/** Reads the filters of the log from its address; what cannot be a filter is left out. */
export function parseActivitySearch({ kind, accountId, by, text, from, to }: Record<string, unknown>): ActivitySearch {
  const known = ACTIVITY_KINDS.find((one) => one === kind);
  const typed = typedText(text);
  return {
    ...(known !== undefined && { kind: known }),
    ...(isId(accountId) && { accountId }),
    ...(typeof by === 'string' && by !== '' && by.length <= MOST_ID && { by }),
    ...(typed !== '' && { text: typed }),
    ...(typeof from === 'string' && startOf(from) !== undefined && { from }),
    ...(typeof to === 'string' && startOf(to) !== undefined && { to }),
  };
}

/** The filters as the node takes them. */
export function activityFilterOf({ from, to, ...filter }: ActivitySearch): ActivityFilter {
  const [first, end] = [startOf(from), startOf(to, 1)];
  return { ...filter, ...(first && { from: first }), ...(end && { before: end }) };
}
