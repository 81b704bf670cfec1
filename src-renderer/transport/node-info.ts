import { hashKey, type Query } from '@tanstack/react-query';
import type { NodeInfo } from '../../src-shared/operator-contract/node.ts';
import { setShopDays } from '../../src-shared/words/time-zone.ts';
import { setNodeTime } from './node-clock.ts';
import { queries } from './operator-client.ts';
import { stateCell } from './state-cell.ts';

/**
 * Names how the shop counts its days: its time zone, and when a day ends. It is undefined until the node has told it.
 */
export const shopDaysKey = stateCell<string | undefined>(undefined);

/** Sets the page's clock, its time zone and its days to those of the node. */
export function takeNodeInfo({ now, timeZone, dayEndsAt }: NodeInfo): void {
  setNodeTime(now);
  setShopDays({ timeZone, dayEndsAt });
  shopDaysKey.set(`${timeZone} ${dayEndsAt}`);
}

/** Takes what the node tells about itself, whichever screen has asked. For the cache of all queries. */
export function onAnswer(data: unknown, { queryHash }: Pick<Query<unknown, unknown, unknown>, 'queryHash'>): void {
  if (queryHash === INFO) takeNodeInfo(data as NodeInfo);
}

const INFO = hashKey(queries.node.info.queryKey());
