import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Payment, PaymentFilter, PaymentSummary } from '../../src-shared/operator-contract/payments.ts';
import { queries } from '../transport/operator-client.ts';

/** Rows that are read together. */
export const PART = 100;
/** Browsers cannot draw a taller list; older payments are found by their dates. */
export const MOST_ROWS = 200_000;
/** A summary reads all that matches, so while payments come in it is read less often than the rows. */
const SUMMARY_EVERY_MS = 1_500;

interface Wanted {
  filter: PaymentFilter;
  /** Only what is not newer than this place. */
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
  /** Rows of the last filter are shown until those of the new one are there. */
  isOld: boolean;
  /** Undefined for a row that is still to come. */
  rowAt(index: number): Payment | undefined;
}

const optionsOf = (filter: PaymentFilter, until: string | undefined, part: number) =>
  queries.payments.list.queryOptions({ input: { ...filter, until, offset: part * PART, limit: PART } });

const useFirstPart = (filter: PaymentFilter, until: string | undefined) =>
  useQuery({ ...optionsOf(filter, until, 0), placeholderData: keepPreviousData });

/** The parts of a list that are looked at, by row numbers; each is read again when something in it may have changed. */
export function usePaymentList({ filter, until, parts }: Wanted): PaymentList {
  const first = useFirstPart(filter, until);
  const further = parts.filter((part) => part > 0);
  const others = useQueries({ queries: further.map((part) => optionsOf(filter, until, part)) });
  const { summary, isOld: isOldSummary } = useSummary(filter, until, first);
  const remembered = useRemembered(JSON.stringify(filter, (_key, value) => (typeof value === 'bigint' ? String(value) : value)));
  const loaded = new Map([[0, first.data], ...further.map((part, index) => [part, others[index]?.data] as const)]);
  useEffect(() => {
    for (const [part, data] of loaded) if (data !== undefined && !(part === 0 && first.isPlaceholderData)) remembered.set(part, data.items);
  });
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

/** Rows as they were last, by part: shown while the same part is read with another place to stop at. */
function useRemembered(key: string): Map<number, readonly Payment[]> {
  const [memory] = useState(() => ({ key, parts: new Map<number, readonly Payment[]>() }));
  if (memory.key !== key || memory.parts.size > 50) memory.parts.clear();
  memory.key = key;
  return memory.parts;
}

/** @param first the first rows: sums come after them, because both keep the node busy, and when what they show is new, the sums may be */
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
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined;
      void queryClient.invalidateQueries({ queryKey: queries.payments.summary.key() });
    }, SUMMARY_EVERY_MS);
  }, [queryClient, changedAt]);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const shownKey = useRef('');
  const key = JSON.stringify(filter);
  if (!summary.isPlaceholderData && summary.data !== undefined) shownKey.current = key;
  return { summary: summary.data, isOld: summary.isPlaceholderData && shownKey.current !== key };
}
