import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { HealthCheck } from './health-checks.ts';
import { reads } from './operation.ts';
import { AmountValue, AssetValue } from './values.ts';

/** What the console's queries are about; a change names those that may show something new. */
export const Topic = z.enum([
  'accounts',
  'payments',
  'approvals',
  'apps',
  'keys',
  'peers',
  'rates',
  'backups',
  'settings',
  'activity',
  'node',
  'lock',
]);
export type Topic = z.infer<typeof Topic>;

/** What an operator wants to be told wherever they are: money that has come in full, and payments that failed. */
export const News = z.object({ kind: z.enum(['paid', 'failed']), paymentId: z.string() });
export type News = z.infer<typeof News>;

export const Change = z.object({
  /** Position of the last event it tells of. */
  position: z.bigint(),
  topics: z.array(Topic),
  /** Ids of the things that changed, when they are few. */
  subjects: z.array(z.string()),
  /** What is worth a notification; the first few, left out when there is nothing. */
  news: z.array(News).optional(),
});
export type Change = z.infer<typeof Change>;

export const NodeInfo = z.object({
  version: z.string(),
  host: z.enum(['desktop', 'headless']),
  publicUrl: z.url(),
  /** Whether others can reach `publicUrl` at all: false until a public URL is set. */
  reachableByOthers: z.boolean(),
  development: z.boolean(),
  now: z.date(),
});
export type NodeInfo = z.infer<typeof NodeInfo>;

/** Sums of one asset over all accounts since midnight UTC. */
export const DayTotals = z.object({ ...AssetValue.shape, received: z.bigint(), sent: z.bigint() });

/** What payments brought and took day by day (UTC); days on which nothing moved are left out. */
export const History = z.object({
  /** Midnight of its first day. */
  firstDay: z.date(),
  /** How many days it covers, the last one being today. */
  days: z.number().int(),
  assets: z.array(z.object({ ...AssetValue.shape, days: z.array(z.object({ day: z.date(), received: z.bigint(), sent: z.bigint() })) })),
});
export type History = z.infer<typeof History>;

export const Overview = z.object({
  now: z.date(),
  balances: z.array(AmountValue.extend({ reserved: z.bigint() })),
  today: z.array(DayTotals),
  history: History,
  waitingApprovals: z.number().int(),
  /** Outgoing payments that are not finished. */
  paymentsUnderWay: z.number().int(),
  /** Whose outcome cannot be found out by asking: the operator settles them. */
  paymentsUnknown: z.number().int(),
  failedToday: z.number().int(),
  health: z.array(HealthCheck),
});
export type Overview = z.infer<typeof Overview>;

export const node = {
  info: reads.route({ method: 'GET', path: '/node' }).output(NodeInfo),
  overview: reads.route({ method: 'GET', path: '/overview' }).output(Overview),
  /** Tells of every committed change from now on; the first value comes at once and names no topic. */
  changes: reads.route({ method: 'GET', path: '/changes' }).output(eventIterator(Change)),
};
