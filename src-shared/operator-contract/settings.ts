import { z } from 'zod';
import { reads } from './operation.ts';

/** What the node was told when it started, without any secret. It changes only with a restart. */
export const NodeConfiguration = z.object({
  version: z.string(),
  host: z.enum(['desktop', 'headless']),
  publicUrl: z.url(),
  /** Whether a public URL was given; otherwise it is the address on this computer. */
  publicUrlGiven: z.boolean(),
  /** Where the public API listens, as HOST:PORT. */
  listen: z.string(),
  /** Where the console listens; null on the desktop. */
  console: z.string().nullable(),
  development: z.boolean(),
  /** How long an access token lives, in seconds. */
  tokenLifetime: z.number().int(),
  logLevel: z.string(),
  trustedProxies: z.array(z.string()),
  dataFolder: z.string(),
  /** Whether the keys of the node are encrypted at rest. */
  keysEncrypted: z.boolean(),
  ilpAddress: z.string(),
  /** When the node's own certificate ends; null when it has none of its own. */
  certificateEndsAt: z.date().nullable(),
});
export type NodeConfiguration = z.infer<typeof NodeConfiguration>;

export const settings = {
  node: reads.route({ method: 'GET', path: '/settings/node' }).output(NodeConfiguration),
};
