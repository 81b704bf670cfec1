import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { outcomeUnknown } from '../transport/error-text.ts';
import { queries } from '../transport/operator-client.ts';
import { draftOf, forgetCart, forgetDraft } from './till-memory.ts';

/** How long to wait before the same sale is asked for again, in milliseconds. */
const AGAIN_MS = 1_000;

/**
 * The sale with this id: makes it when it was just charged, and finds it otherwise. While nobody knows whether the node
 * has made it, the very same request is sent again, which makes no second one.
 */
export function useSale(id: string) {
  const [draft] = useState(() => draftOf(id));
  const queryClient = useQueryClient();
  const make = useMutation(
    queries.requests.create.mutationOptions({
      retry: (_, error) => outcomeUnknown(error),
      retryDelay: AGAIN_MS,
      onSuccess: (made) => {
        queryClient.setQueryData(queries.requests.get.queryKey({ input: { id } }), made);
        forgetDraft(id);
        forgetCart();
      },
      // A request that the node has refused makes nothing, so it is not sent again after a reload either.
      onError: () => forgetDraft(id),
    }),
  );
  const { mutate } = make;
  useEffect(() => {
    if (draft === undefined) return;
    const { description, note, bill, ...rest } = draft;
    mutate({
      ...rest,
      ...(bill !== undefined && { bill: { ...bill, lines: [...bill.lines] } }),
      ...(description !== undefined && { description }),
      ...(note !== undefined && { note }),
      madeAt: 'till',
    });
  }, [draft, mutate]);
  const found = useQuery({
    ...queries.requests.get.queryOptions({ input: { id } }),
    enabled: draft === undefined || make.isSuccess,
  });
  return { found, refused: make.error, isRetrying: make.failureCount > 0 && make.isPending };
}
