import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { RefundPrice } from '../../../src-shared/operator-contract/payments/refunds.ts';
import { queries } from '../../transport/operator-client.ts';

/** The payer's wallet is asked once nothing was typed for so long. */
const AFTER_MS = 500;

interface Asked {
  /** The id of the dialog. Each one asks anew. */
  dialog: string;
  paymentId: string;
  payer: string;
  /** It is undefined while nothing can be priced. */
  receive: bigint | undefined;
}

/**
 * What it costs that exactly that amount arrives at the payer. The price belongs to no topic: the node's own question
 * is a change of payments, and would ask again without end.
 */
export function usePaidPrice({ dialog, paymentId, payer, receive }: Asked) {
  const [settled] = useDebouncedValue(receive, AFTER_MS);
  const price = useQuery({
    ...queries.refunds.price.queryOptions({ input: { paymentId, payer, receive: settled ?? 1n } }),
    queryKey: ['refund-price', dialog, payer, String(settled)],
    enabled: settled !== undefined && settled === receive,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const isCurrent = receive !== undefined && settled === receive;
  const priced: RefundPrice | undefined = isCurrent && !price.isFetching ? price.data : undefined;
  return { priced, error: isCurrent ? price.error : null, askAgain: price.refetch };
}
