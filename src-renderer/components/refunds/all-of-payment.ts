import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Payer, PaymentDetail, Refund } from '../../../src-shared/operator-contract/payments/payments.ts';
import { queries } from '../../transport/operator-client.ts';
import type { LongList } from '../page/load-more.tsx';

/** A list as far as it is read. */
interface SoFar<Item> {
  items: readonly Item[];
  list: LongList;
}

interface Pages<Item> extends Omit<LongList, 'isFetchingNextPage'> {
  data: { pages: readonly { items: readonly Item[] }[] } | undefined;
  isFetching: boolean;
}

/** Where the parts of both lists begin. */
const cursorOf = { initialPageParam: undefined, getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor ?? undefined };

/** The beginning of a list, or everything that was read since somebody asked for more. */
function soFar<Item>(begun: { items: readonly Item[]; more: boolean }, all: Pages<Item>, ask: () => void): SoFar<Item> {
  const { data, hasNextPage, isFetching: isFetchingNextPage, fetchNextPage } = all;
  if (data === undefined) return { items: begun.items, list: { hasNextPage: begun.more, isFetchingNextPage, fetchNextPage: ask } };
  return { items: data.pages.flatMap(({ items }) => items), list: { hasNextPage, isFetchingNextPage, fetchNextPage } };
}

// The page of a payment has the beginnings of both lists. Everything is read when somebody asks for more.

/** The payers of a payment. */
export function usePayers({ id, payers, morePayers }: Pick<PaymentDetail, 'id' | 'payers' | 'morePayers'>): SoFar<Payer> {
  const [asked, setAsked] = useState(false);
  const input = (cursor: string | undefined) => ({ paymentId: id, cursor });
  const all = useInfiniteQuery({ ...queries.refunds.payers.infiniteOptions({ input, ...cursorOf }), enabled: asked });
  return soFar({ items: payers, more: morePayers }, all, () => setAsked(true));
}

/** The refunds of a payment, the newest first. */
export function useRefunds({ id, refunds, moreRefunds }: Pick<PaymentDetail, 'id' | 'refunds' | 'moreRefunds'>): SoFar<Refund> {
  const [asked, setAsked] = useState(false);
  const input = (cursor: string | undefined) => ({ paymentId: id, cursor });
  const all = useInfiniteQuery({ ...queries.refunds.list.infiniteOptions({ input, ...cursorOf }), enabled: asked });
  return soFar({ items: refunds, more: moreRefunds }, all, () => setAsked(true));
}
