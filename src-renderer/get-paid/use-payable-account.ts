import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PayableAccount } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import { queries } from '../transport/operator-client.ts';

/**
 * The account into which a request is to be paid: the one that was chosen, else the one that a link names, else the
 * first.
 */
export function usePayableAccount(named: string | undefined) {
  const [chosen, choose] = useState<PayableAccount>();
  const first = useQuery(queries.requests.accounts.queryOptions({ input: { limit: 1 } }));
  const own = useQuery({
    ...queries.requests.accounts.queryOptions({ input: { id: named ?? '' } }),
    enabled: named !== undefined && chosen === undefined,
  });
  // A link may name an account that is not there any more, or nothing that could be one.
  const waits = named !== undefined && own.isLoading;
  const data = chosen ?? own.data?.items[0] ?? (waits ? undefined : first.data?.items[0]);
  return { query: { data, error: first.error, refetch: first.refetch }, choose };
}
