import { isTimeZone } from '../calendar.ts';
import { everyone, managers, readers } from '../people/roles.ts';
import { z } from '../zod.ts';
import { does, reads } from './operation.ts';

/** How the node was configured when it started, without any secret. Only a restart changes it. */
export const NodeConfiguration = z.object({
  version: z.string(),
  host: z.enum(['desktop', 'headless']),
  publicUrl: z.url(),
  /** Whether a public URL was given. Otherwise `publicUrl` is the address on this computer. */
  publicUrlGiven: z.boolean(),
  /** The address on which the public API listens, as HOST:PORT. */
  listen: z.string(),
  /** The address on which the console listens; null on the desktop. */
  console: z.string().nullable(),
  development: z.boolean(),
  /** How long an access token lives, in seconds. */
  tokenLifetime: z.number().int(),
  /** The node keeps for this many days what has ended and belongs to no payment. */
  keepDays: z.number().int(),
  /** The details of payments go into the archive after this many days. */
  archiveDays: z.number().int(),
  logLevel: z.string(),
  trustedProxies: z.array(z.string()),
  dataFolder: z.string(),
  /** The host, port and name of the shared database with books and keys; null while the data folder has them. */
  database: z.string().nullable(),
  /** Whether the node's keys are encrypted on the disk. */
  keysEncrypted: z.boolean(),
  ilpAddress: z.string(),
  /** The end of the node's own certificate; null when it has none. */
  certificateEndsAt: z.date().nullable(),
});
export type NodeConfiguration = z.infer<typeof NodeConfiguration>;

/** A sale at the till takes no more money after this many minutes. A new value counts for new sales. */
const LapseMinutes = z.number().int().min(1).max(1440);

/** Three tips that customers choose among, in whole percent of what they buy with its tax. */
const TipPercents = z
  .array(z.number().int().min(1).max(100))
  .length(3)
  .refine((percents) => percents.every((one, nth) => one > (percents[nth - 1] ?? 0)), 'Name the lowest first, and each once.');

export const settings = {
  node: reads(readers, 'How the node was configured when it started, without any secret.')
    .route({ method: 'GET', path: '/settings/node' })
    .output(NodeConfiguration),
  /** The time zone in which the shop counts its days. */
  timeZone: reads(everyone, 'The time zone in which the shop counts its days.')
    .route({ method: 'GET', path: '/settings/time-zone' })
    .output(
      z.object({
        /** The IANA name of the time zone that the operator chose; null while the shop follows the node's computer. */
        chosen: z.string().nullable(),
        /** The time zone of the node's computer. */
        computer: z.string(),
      }),
    ),
  setTimeZone: does(managers, 'settings', 'settings.changed', 'Sets the time zone of the shop, or lets it follow the node’s computer.')
    .route({ method: 'POST', path: '/settings/time-zone' })
    .input(
      z.object({
        /** An IANA name such as `Europe/Berlin`, or null to follow the node's computer. */
        timeZone: z.string().max(64).refine(isTimeZone, 'Name a time zone such as Europe/Berlin.').nullable(),
      }),
    )
    .output(z.object({ set: z.literal(true) })),
  /** How the till works. */
  till: reads(everyone, 'After how many minutes a sale at the till lapses, and which tips are offered.')
    .route({ method: 'GET', path: '/settings/till' })
    .output(z.object({ lapseMinutes: LapseMinutes, tipPercents: TipPercents.nullable() })),
  setTill: does(managers, 'settings', 'settings.changed', 'Sets after how many minutes a sale at the till lapses.')
    .route({ method: 'POST', path: '/settings/till' })
    .input(z.object({ lapseMinutes: LapseMinutes }))
    .output(z.object({ set: z.literal(true) })),
  setTips: does(managers, 'settings', 'settings.changed', 'Sets which tips the till offers to customers, or that it offers none.')
    .route({ method: 'POST', path: '/settings/tips' })
    .input(
      z.object({
        /** The tips that the till offers; null when it asks for none. */
        percents: TipPercents.nullable(),
      }),
    )
    .output(z.object({ set: z.literal(true) })),
};
