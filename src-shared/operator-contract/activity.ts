import { eventIterator } from '@orpc/contract';
import { ACTIVITY_KINDS } from '../activity-kinds.ts';
import { ROLES, readers } from '../people/roles.ts';
import { z } from '../zod.ts';
import { does, reads } from './operation.ts';
import { ExportPart } from './payments/payments.ts';
import { AssetValue, Id } from './values.ts';

const ActivityKind = z.enum(ACTIVITY_KINDS);

/**
 * Who did something: a person, a script with the operator's token in the name of the owner, software with a key, or the
 * device of a till.
 */
const Doer = z.object({ kind: z.enum(['person', 'script', 'key', 'till']), id: z.string(), name: z.string(), role: z.enum(ROLES) });

/** One thing the operator did. */
export const ActivityEntry = z.object({
  /** It counts from 1 without a gap. */
  number: z.number().int(),
  at: z.date(),
  kind: ActivityKind,
  /** The name of the operation, such as `accounts.deposit`. */
  operation: z.string(),
  /** The id of the thing that the operator changed. */
  subject: z.string(),
  account: z.object({ id: Id, name: z.string(), ...AssetValue.shape }).nullable(),
  /** Who did it, and as what. It is null where nobody did it, and in entries from before the node knew persons. */
  by: Doer.nullable(),
  /** Short facts by name. Amounts are in smallest units. */
  facts: z.record(z.string(), z.string()),
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

export const ActivityFilter = z.object({
  kind: ActivityKind.optional(),
  accountId: Id.optional(),
  /** The id of the person or the key that did it. */
  by: z.string().max(100).optional(),
  /** Text to find in the operation, in the subject, in the facts, or in the name of who did it. */
  text: z.string().max(200).optional(),
  from: z.date().optional(),
  /** It is exclusive. */
  before: z.date().optional(),
});
export type ActivityFilter = z.infer<typeof ActivityFilter>;

export const activity = {
  /** Newest first. Only entries with a number below `below` are returned. */
  list: reads(readers, 'What the operator did, newest first.')
    .route({ method: 'GET', path: '/activity' })
    .input(ActivityFilter.extend({ below: z.number().int().positive().optional(), limit: z.number().int().min(1).max(200).default(50) }))
    .output(
      z.object({
        items: z.array(ActivityEntry),
        /** The place where the next part begins; null after the last part. */
        below: z.number().int().nullable(),
        /** How many entries the log has, whether they match or not. */
        entries: z.number().int(),
      }),
    ),
  /** Whose acts can be looked for: the people, removed ones too, and the keys and tills that have not ended. */
  doers: reads(readers, 'Whose acts the activity log can be narrowed to.')
    .route({ method: 'GET', path: '/activity/doers' })
    .output(z.object({ items: z.array(z.object({ kind: z.enum(['person', 'key', 'till']), id: z.string(), name: z.string() })) })),
  /** Every entry that matches as CSV (RFC 4180), newest first, in parts, with the hashes of the chain. */
  export: does(
    readers,
    'exports',
    'activity.exported',
    'The activity log as CSV (RFC 4180), newest first, in parts, with the hashes of its chain, as server-sent events.',
  )
    .route({ method: 'GET', path: '/activity/export' })
    .input(ActivityFilter)
    .output(eventIterator(ExportPart)),
};
