import type { QueryClient } from '@tanstack/react-query';
import { device } from '../../transport/device.ts';
import { takeNodeInfo } from '../../transport/node-info.ts';
import { client, queries } from '../../transport/operator-client.ts';
import { you } from '../../transport/you.ts';

/** Asks the node which till this is, and for its time, before anything is shown. */
export async function readTill(queryClient: QueryClient): Promise<void> {
  const me = await client.people.me();
  you.set(me);
  const info = await client.node.info();
  takeNodeInfo(info);
  queryClient.setQueryData(queries.node.info.queryKey(), info);
  device.set('open');
}
