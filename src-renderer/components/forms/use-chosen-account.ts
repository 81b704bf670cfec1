import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../../src-shared/operator-contract/accounts.ts';
import { queries } from '../../transport/operator-client.ts';

/**
 * The account of a form: the one that was chosen, else the one that a link names, else the first account of the node.
 * It is always shown as it is now, because its balance may change meanwhile.
 */
export function useChosenAccount(named: string | undefined) {
  const [chosen, choose] = useState<Account>();
  const id = chosen?.id ?? named;
  const first = useQuery(queries.accounts.list.queryOptions({ input: { limit: 1 } }));
  const own = useQuery({
    ...queries.accounts.get.queryOptions({ input: { id: id ?? '' } }),
    enabled: id !== undefined,
    ...(chosen && { placeholderData: chosen }),
  });
  const isNamed = id !== undefined && own.error === null;
  const { error, refetch } = isNamed ? own : first;
  const query = { data: isNamed ? own.data : first.data?.items[0], error, refetch };
  return { query, choose };
}
