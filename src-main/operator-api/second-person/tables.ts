import { sql } from 'drizzle-orm';
import type { WaitingOperation } from '../../../src-shared/operator-contract/console/second-person.ts';
import type { Protected } from '../../../src-shared/people/protected.ts';
import type { Role } from '../../../src-shared/people/roles.ts';
import { check, index, int53, int64, json, primaryKey, table, text, timestampMs } from '../../platform/database/schema.ts';

/** The amounts above which an act needs a second person. Without a row none is needed. */
export const secondPersonLimits = table(
  'second_person_limits',
  {
    what: text('what').$type<Protected>().notNull(),
    assetCode: text('asset_code').notNull(),
    assetScale: int53('asset_scale').notNull(),
    /** The amount, in smallest units, 0 or more. */
    above: int64('above').notNull(),
  },
  (t) => [primaryKey({ columns: [t.what, t.assetCode, t.assetScale] }), check('second_person_above', sql`${t.above} >= 0`)],
);

/** What an act is about, as both persons are shown it. Amounts are texts of smallest units. */
export interface ShownAct {
  accountName?: string | undefined;
  amount?: { value: string; assetCode: string; assetScale: number } | undefined;
  receiveAmount?: { value: string; assetCode: string; assetScale: number } | undefined;
  whom?: string | undefined;
  note?: string | undefined;
  what?: Protected | undefined;
}

/** `lapsed`: the books were put back from a copy. One whose time is over is `waiting` and past its end. */
export type WaitingState = 'waiting' | 'confirmed' | 'refused' | 'withdrawn' | 'lapsed';

/** Acts that wait for a second person, and those that were decided lately. */
export const waitingActs = table(
  'waiting_acts',
  {
    /** The id of the request, where the operation has one. */
    id: text('id').primaryKey(),
    operation: text('operation').$type<WaitingOperation>().notNull(),
    subject: text('subject'),
    /** What the operation is called with, as JSON. */
    input: text('input').notNull(),
    shown: json<ShownAct>('shown').notNull(),
    /** SHA-256 of operation, subject, input and what is shown, base64url. */
    hash: text('hash').notNull(),
    state: text('state').$type<WaitingState>().notNull(),
    byKind: text('by_kind').$type<'person' | 'script'>().notNull(),
    byId: text('by_id').notNull(),
    byName: text('by_name').notNull(),
    byRole: text('by_role').$type<Role>().notNull(),
    createdAt: timestampMs('created_at').notNull(),
    expiresAt: timestampMs('expires_at').notNull(),
    /** Who has decided; null while it waits. */
    decidedById: text('decided_by_id'),
    decidedAt: timestampMs('decided_at'),
  },
  (t) => [
    check('waiting_acts_state', sql`${t.state} in ('waiting', 'confirmed', 'refused', 'withdrawn', 'lapsed')`),
    index('waiting_acts_state').on(t.state, t.createdAt),
    index('waiting_acts_created').on(t.createdAt),
  ],
);
