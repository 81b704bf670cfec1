import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Payment, PaymentFilter, PaymentSummary } from '../../../src-shared/operator-contract/payments/payments.ts';
import { queries } from '../../transport/operator-client.ts';
import { readAgain } from '../../transport/read-again.ts';

/** Rows that are read together. */
export const PART = 100;
/** The most rows of the list, because browsers cannot draw a taller one. Older payments are found by their dates. */
export const MOST_ROWS = 200_000;
/**
 * How often the summary is read at most, in milliseconds. It reads all payments that match, so it is read less often
 * than the rows.
 */
const SUMMARY_EVERY_MS = 1_500;

/** Parts whose rows are remembered; with more, all of them are forgotten. */
const MOST_REMEMBERED = 50;

interface Wanted {
  filter: PaymentFilter;
  /** The place that the newest payment of the list has at most. */
  until: string | undefined;
  /** Numbers of the parts that are looked at. */
  parts: readonly number[];
}

export interface PaymentList {
  /** The first part, for its states of loading and failing. */
  first: ReturnType<typeof useFirstPart>;
  summary: PaymentSummary | undefined;
  /** How many rows there are, as far as is known. */
  count: number;
  /** The place of the newest row. */
  place: string | null;
  /** Whether these are the rows of the last filter, which are shown until those of the new one are there. */
  isOld: boolean;
  /** It is undefined while a row is being read. */
  rowAt(index: number): Payment | undefined;
}

const optionsOf = (filter: PaymentFilter, until: string | undefined, part: number) =>
  queries.payments.list.queryOptions({ input: { ...filter, until, offset: part * PART, limit: PART } });

const useFirstPart = (filter: PaymentFilter, until: string | undefined) =>
  useQuery({ ...optionsOf(filter, until, 0), placeholderData: keepPreviousData });

/** The parts of a list that are in sight, by row numbers; each is read again when something in it may have changed. */
export function usePaymentList({ filter, until, parts }: Wanted): PaymentList {
  const first = useFirstPart(filter, until);
  const further = parts.filter((part) => part > 0);
  const others = useQueries({ queries: further.map((part) => optionsOf(filter, until, part)) });
  const { summary, isOld: isOldSummary } = useSummary(filter, until, first);
  const loaded = new Map([[0, first.data], ...further.map((part, index) => [part, others[index]?.data] as const)]);
  const remembered = useRemembered(
    JSON.stringify(filter),
    [...loaded].flatMap(([part, data]) => (data === undefined || (part === 0 && first.isPlaceholderData) ? [] : [[part, data.items]])),
  );
  const known = [...loaded].flatMap(([part, data]) =>
    data === undefined ? [] : [{ end: part * PART + data.items.length, more: data.nextCursor !== null }],
  );
  const end = known.find(({ more, end }) => !more && end > 0)?.end;
  const atLeast = Math.max(0, ...known.map(({ end, more }) => (more ? end + PART : end)));
  const summed = isOldSummary ? 0 : (summary?.count ?? 0);
  return {
    first,
    summary: isOldSummary ? undefined : summary,
    count: Math.min(MOST_ROWS, end ?? Math.max(atLeast, summed)),
    place: first.data?.place ?? null,
    isOld: first.isPlaceholderData && until === undefined,
    rowAt: (index) => {
      const part = Math.floor(index / PART);
      return (loaded.get(part)?.items ?? remembered.get(part))?.[index % PART];
    },
  };
}

type Part = readonly [part: number, rows: readonly Payment[]];

/**
 * The rows of each part as they were read last: they are shown while the same part is read with another place to stop
 * at.
 * @param key another one forgets what was read before
 * @param read what has been read by now
 */
function useRemembered(key: string, read: readonly Part[]): ReadonlyMap<number, readonly Payment[]> {
  const [memory, setMemory] = useState({ key, parts: new Map<number, readonly Payment[]>() });
  const known = memory.key === key && memory.parts.size <= MOST_REMEMBERED ? memory.parts : new Map<number, readonly Payment[]>();
  const fresh = read.filter(([part, rows]) => known.get(part) !== rows);
  if (memory.key !== key || fresh.length > 0) setMemory({ key, parts: new Map([...known, ...fresh]) });
  return known;
}

/**
 * What all payments come to that match.
 * @param first the first rows. The sums are read after them, because both reads keep the node busy, and again when the
 *   rows have changed.
 */
function useSummary(filter: PaymentFilter, until: string | undefined, first: ReturnType<typeof useFirstPart>) {
  const changedAt = first.dataUpdatedAt;
  const queryClient = useQueryClient();
  const summary = useQuery({
    ...queries.payments.summary.queryOptions({ input: { ...filter, until } }),
    placeholderData: keepPreviousData,
    enabled: first.data !== undefined && !first.isPlaceholderData,
  });
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const seen = useRef(changedAt);
  useEffect(() => {
    if (seen.current === changedAt) return;
    seen.current = changedAt;
    if (waiting.current !== undefined) return;
    waiting.current = setTimeout(() => {
      waiting.current = undefined;
      void readAgain(queryClient, { queryKey: queries.payments.summary.key() });
    }, SUMMARY_EVERY_MS);
  }, [queryClient, changedAt]);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const [shownKey, setShownKey] = useState('');
  const key = JSON.stringify(filter);
  if (!summary.isPlaceholderData && summary.data !== undefined && shownKey !== key) setShownKey(key);
  return { summary: summary.data, isOld: summary.isPlaceholderData && shownKey !== key };
}
