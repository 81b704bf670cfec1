import { hashKey, type Query } from '@tanstack/react-query';
import type { NodeInfo } from '../../src-shared/operator-contract/node.ts';
import { setTimeZone } from '../../src-shared/words/time-zone.ts';
import { setNodeTime } from './node-clock.ts';
import { queries } from './operator-client.ts';
import { stateCell } from './state-cell.ts';

/** The shop's time zone, in which the page shows times. It is undefined until the node has told it. */
export const shopTimeZone = stateCell<string | undefined>(undefined);

/** Sets the page's clock and its time zone to those of the node. */
export function takeNodeInfo({ now, timeZone }: NodeInfo): void {
  setNodeTime(now);
  setTimeZone(timeZone);
  shopTimeZone.set(timeZone);
}

/** Takes what the node tells about itself, whichever screen has asked. For the cache of all queries. */
export function onAnswer(data: unknown, { queryHash }: Pick<Query<unknown, unknown, unknown>, 'queryHash'>): void {
  if (queryHash === INFO) takeNodeInfo(data as NodeInfo);
}

const INFO = hashKey(queries.node.info.queryKey());
