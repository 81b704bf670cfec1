import { useQuery } from '@tanstack/react-query';
import { queries } from '../../transport/operator-client.ts';

/** The currency in which the shop thinks: that of its first account. It is undefined while there is no account. */
export function useMainAsset() {
  return useQuery(
    queries.node.overview.queryOptions({
      select: ({ balances: [main] }) => ({
        asset: main === undefined ? undefined : { assetCode: main.assetCode, assetScale: main.assetScale },
      }),
    }),
  );
}
