import { eventIterator } from '@orpc/contract';
import { type Audience, everyone, managers, owner, readers, till } from '../people/roles.ts';
import { z } from '../zod.ts';
import { HealthCheck } from './health-checks.ts';
import { reads } from './operation.ts';
import { AmountValue, AssetValue, Position, Units } from './values.ts';

/** The subjects of the console's queries. A change names the topics whose queries may answer something new. */
export const Topic = z.enum([
  'accounts',
  'payments',
  'requests',
  'approvals',
  'apps',
  'keys',
  'peers',
  'rates',
  'backups',
  'settings',
  'products',
  'activity',
  'node',
  'lock',
  'sessions',
  'people',
  'waiting',
  'tills',
]);
export type Topic = z.infer<typeof Topic>;

/** Who may hear that something of a topic has changed: whoever may read it. */
export const topicAudience: Record<Topic, Audience> = {
  accounts: readers,
  payments: readers,
  requests: everyone,
  approvals: readers,
  apps: readers,
  keys: readers,
  peers: readers,
  rates: readers,
  backups: readers,
  settings: everyone,
  products: everyone,
  activity: readers,
  node: everyone,
  lock: everyone,
  sessions: owner,
  people: owner,
  waiting: till,
  tills: managers,
};

/**
 * What people want to hear about on every screen: money that has arrived in full, payments that failed, and claims of a
 * refund that wait for a decision. A claim is told of with the payment whose money it wants back.
 */
export const News = z.object({ kind: z.enum(['paid', 'failed', 'claim']), paymentId: z.string() });
export type News = z.infer<typeof News>;

/** Who may hear such news. */
export const newsAudience: Record<News['kind'], Audience> = { paid: everyone, failed: readers, claim: managers };

export const Change = z.object({
  /** The position of the last event that the change includes. */
  position: Position,
  topics: z.array(Topic),
  subjects: z
    .array(z.string())
    .describe(
      'The ids of the things that changed, when they are few. An empty list beside topics means that anything of these topics may have changed.',
    ),
  /** The news that deserve a notification: the first few, absent when there are none. */
  news: z.array(News).optional(),
});
export type Change = z.infer<typeof Change>;

export const NodeInfo = z.object({
  version: z.string(),
  host: z.enum(['desktop', 'headless']),
  publicUrl: z.url(),
  /** Whether others can reach `publicUrl`. It is false until a public URL is set. */
  reachableByOthers: z.boolean(),
  development: z.boolean(),
  /** The host, port and name of the shared database with the books; null while they are in the data folder. */
  database: z.string().nullable(),
  now: z.date(),
  /**
   * Whether a peer leads to other nodes. Without one only wallets of this node can pay its accounts and be paid by
   * them.
   */
  connected: z.boolean(),
  /** The IANA name of the time zone in which the shop counts its days. The console shows times in it. */
  timeZone: z.string(),
  /** The end of the shop's day, in minutes after midnight. */
  dayEndsAt: z.number().int(),
});
export type NodeInfo = z.infer<typeof NodeInfo>;

/** What all accounts of one asset have received and sent since midnight in the shop's time zone. */
const DayTotals = z.object({ ...AssetValue.shape, received: Units, sent: Units });

/** A day of the shop's time zone, as YYYY-MM-DD. */
const Day = z.string();

/** What payments brought and took on each day in the shop's time zone. It leaves out days without payments. */
export const History = z.object({
  firstDay: Day,
  /** How many days it covers. The last one is today. */
  days: z.number().int(),
  assets: z.array(z.object({ ...AssetValue.shape, days: z.array(z.object({ day: Day, received: Units, sent: Units })) })),
});
export type History = z.infer<typeof History>;

export const Overview = z.object({
  now: z.date(),
  /** What all accounts of one asset have together, and how many they are. */
  balances: z.array(AmountValue.extend({ reserved: Units, accounts: z.number().int() })),
  today: z.array(DayTotals),
  history: History,
  waitingApprovals: z.number().int(),
  /** Outgoing payments that are not finished. */
  paymentsUnderWay: z.number().int(),
  /** Payments whose outcome the node cannot find out. The operator decides them. */
  paymentsUnknown: z.number().int(),
  failedToday: z.number().int(),
  health: z.array(HealthCheck),
});
export type Overview = z.infer<typeof Overview>;

export const node = {
  info: reads(everyone, 'What the node is: its version, its public URL, its time.')
    .route({ method: 'GET', path: '/node' })
    .output(NodeInfo),
  overview: reads(readers, 'Balances, the takings of today and of the last days, what waits, and the health of the node.')
    .route({ method: 'GET', path: '/overview' })
    .output(Overview),
  /** Every committed change from now on. The first value arrives at once and names no topic. */
  changes: reads(everyone, 'Every committed change from now on, as server-sent events. The first one arrives at once and names no topic.')
    .route({ method: 'GET', path: '/changes' })
    .output(eventIterator(Change)),
};
