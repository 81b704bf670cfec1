import { eq, sql } from 'drizzle-orm';
import type { EventType } from '../../src-shared/event-types.ts';
import { appendEvent } from '../journal/events.ts';
import { prepared, type Reader, type Tx } from '../platform/database/database.ts';
import type { WireAccess } from './rights/wire-access.ts';
import { type GrantState, grants } from './tables.ts';

export type Grant = typeof grants.$inferSelect;
type GrantEvent = Extract<EventType, `grant.${string}` | `token.${string}`>;

/** The state of a grant at a moment. A grant whose time has passed has lapsed, also before the node has stored that. */
export function stateAt({ state, lapsesAt }: Pick<Grant, 'state' | 'lapsesAt'>, now: number): GrantState {
  const waits = state === 'pending' || state === 'approved';
  return waits && lapsesAt !== null && now >= lapsesAt ? 'lapsed' : state;
}

/** Whether a grant has reached the end that the operator set. */
export const hasExpired = ({ expiresAt }: Pick<Grant, 'expiresAt'>, now: number): boolean => expiresAt !== null && now >= expiresAt;

const byId = prepared((reader: Reader) =>
  reader
    .select()
    .from(grants)
    .where(eq(grants.id, sql.placeholder('id')))
    .prepare(),
);

/** Reads a grant, through the reader or inside a write. */
export async function findGrant(reader: Reader, id: string): Promise<Grant | undefined> {
  const [row] = await byId(reader).execute({ id });
  return row;
}

/** Records that something happened to a grant, in the write that made it happen. */
export async function appendGrantEvent(tx: Tx, type: GrantEvent, grant: Grant, body: Record<string, string>, at: number): Promise<void> {
  const walletAddressId = grant.walletAddressId === null ? {} : { walletAddressId: grant.walletAddressId };
  await appendEvent(tx, { type, subject: grant.id, ...walletAddressId, body: { client: grant.clientId, ...body }, at });
}

/** Rights that only the operator can give (decisions.md#D-32). */
export const needsOperator = (access: readonly WireAccess[], subject: string | undefined): boolean =>
  subject !== undefined || access.some((item) => item.type === 'outgoing-payment' || item.actions.some((action) => action === 'list-all'));

type PayingRight = Extract<WireAccess, { type: 'outgoing-payment' }>;

/** The right to send money, if there is one. A grant has at most one. */
export const payingRight = (access: readonly WireAccess[]): PayingRight | undefined =>
  access.find((item): item is PayingRight => item.type === 'outgoing-payment' && item.actions.includes('create'));
