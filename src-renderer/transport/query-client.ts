import { QueryCache, QueryClient } from '@tanstack/react-query';
import { onAnswer } from './node-info.ts';

/** What a page has read from the node. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onSuccess: onAnswer }),
    defaultOptions: {
      queries: {
        // The stream of changes says what has become old. Data does not get old by its age or when the window gets the
        // focus.
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // The node runs on this computer or on the same network, so it does not matter whether the browser believes to
        // be online.
        networkMode: 'always',
        retry: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
