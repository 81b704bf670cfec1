import { hash } from 'node:crypto';
import { and, asc, count, eq, gt, lt } from 'drizzle-orm';
import type { WaitingOperation } from '../../../src-shared/operator-contract/console/second-person.ts';
import { type Audience, managers, owner, till } from '../../../src-shared/people/roles.ts';
import { actAs } from '../../journal/acting.ts';
import type { Doer } from '../../journal/doer.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { failPoint } from '../../platform/fail-points.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { OperatorContext } from '../context.ts';
import { checkInWrite } from '../lock/lock-guard.ts';
import { otherAct } from '../operator-acts.ts';
import { callerOf } from '../people/calling-person.ts';
import { type PersonRow, personRow } from '../people/persons.ts';
import { refuseOut } from '../people/role-guard.ts';
import { CONFIRMING } from './limits.ts';
import { type ShownAct, type WaitingState, waitingActs } from './tables.ts';

export type WaitingRow = typeof waitingActs.$inferSelect;

/** How long an act waits, in milliseconds. */
export const WAITS_MS = 24 * 3_600_000;
/** The most acts that wait. Nobody could keep an eye on more. */
const MOST_WAITING = 50;
/** Decided acts stay for this long, in milliseconds. The activity log keeps the decisions for good. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** The roles that may do an act, by its operation. It repeats the contract, which a test compares. */
export const MAY_ASK: Record<WaitingOperation, Audience> = {
  'payments.pay': managers,
  'refunds.create': till,
  'claims.make': till,
  'claims.refund': managers,
  'approvals.approve': managers,
  'apps.allowAgain': managers,
  'secondPerson.set': owner,
};

/** The operations of which one waits for each subject. Their requests have no ids of their own. */
const ONCE: ReadonlySet<WaitingOperation> = new Set<WaitingOperation>(['approvals.approve', 'apps.allowAgain', 'secondPerson.set']);

/** An act that is beyond what one person does alone. */
export interface NewAct {
  /** The id of the request. */
  id: string;
  operation: WaitingOperation;
  subject: string | null;
  /** The input of the operation. Amounts are texts. */
  input: Readonly<Record<string, string | number | null | undefined>>;
  shown: ShownAct;
}

/**
 * The reason why an act does not wait. `key`: the shop's own software asks, behind which there is no person. `ended`:
 * somebody asked before with this id, and the act was decided.
 */
export type AskProblem = 'key' | 'too_many' | 'ended';

type Hashed = Pick<WaitingRow, 'operation' | 'subject' | 'input' | 'shown'>;
/** The hash of everything that would be done and is shown. */
export const hashOf = ({ operation, subject, input, shown }: Hashed): string =>
  hash('sha256', JSON.stringify([operation, subject, input, Object.entries(shown).sort()]), 'base64url');

const isOpen = (at: number) => and(eq(waitingActs.state, 'waiting'), gt(waitingActs.expiresAt, at));

/**
 * Lets an act wait for a second person. The same request again finds it waiting. Approvals and settings wait once: a
 * person who asks for the same thing hears of the one that waits.
 */
export async function askForSecond(context: OperatorContext, act: NewAct): Promise<Result<WaitingRow, AskProblem>> {
  const by = await callerOf(context);
  const { kind } = by;
  if (kind === 'key' || kind === 'till') return refuse('key');
  const at = context.clock.now();
  const stored = { ...act, input: JSON.stringify(act.input) };
  const row: WaitingRow = {
    ...stored,
    ...{ hash: hashOf(stored), state: 'waiting', byKind: kind, byId: by.id, byName: by.name, byRole: by.role },
    ...{ createdAt: at, expiresAt: at + WAITS_MS, decidedById: null, decidedAt: null },
  };
  const isUnlocked = checkInWrite(context, act.operation.split('.'));
  const mayBeDone = async (tx: Reader) => {
    await isUnlocked?.(tx);
    await refuseOut(tx, context);
  };
  const kept = await actAs(otherAct('waiting.ask', by, mayBeDone), () => context.database.write((tx) => keepIn(tx, row)));
  failPoint('waiting-step');
  return kept;
}

async function keepIn(tx: Tx, row: WaitingRow): Promise<Result<WaitingRow, AskProblem>> {
  const at = row.createdAt;
  await tx.delete(waitingActs).where(lt(waitingActs.createdAt, at - KEPT_MS));
  const [same] = await tx.select().from(waitingActs).where(eq(waitingActs.id, row.id));
  if (same !== undefined) return same.state === 'waiting' && same.expiresAt > at && same.hash === row.hash ? ok(same) : refuse('ended');
  if (ONCE.has(row.operation)) {
    const open = await tx
      .select()
      .from(waitingActs)
      .where(and(isOpen(at), eq(waitingActs.operation, row.operation)));
    const twin = open.find(({ subject }) => subject === row.subject);
    if (twin !== undefined) return ok(twin);
  }
  const [all] = await tx.select({ count: count() }).from(waitingActs).where(isOpen(at));
  if (Number(all?.count ?? 0) >= MOST_WAITING) return refuse('too_many');
  await tx.insert(waitingActs).values(row);
  await appendEvent(tx, { type: 'waiting_act.asked', subject: row.id, body: factsOf(row), at });
  failPoint('waiting-step');
  return ok(row);
}

/** The facts of an act that waits, or has waited, for the activity log. */
const factsOf = ({ operation, shown: { amount, whom = '', what } }: WaitingRow): Record<string, string> => ({
  ...{ asked: operation, whom, ...(what !== undefined && { what }) },
  ...(amount !== undefined && { amount: amount.value, assetCode: amount.assetCode, assetScale: String(amount.assetScale) }),
});

/** All acts that wait, the oldest first. */
export const openActs = async (reader: Reader, at: number): Promise<WaitingRow[]> =>
  await reader.select().from(waitingActs).where(isOpen(at)).orderBy(asc(waitingActs.createdAt), asc(waitingActs.id));

/**
 * The reason why an act is not confirmed, refused or withdrawn. Thrown in a write, it undoes all that the write has
 * done.
 */
export class CannotDecide extends Error {
  readonly code: 'NOT_WAITING' | 'SAME_PERSON' | 'NEEDS_A_PERSON' | 'CHANGED' | 'FIRST_GONE' | 'NOT_ALLOWED_YOURSELF' | 'PRICE_CHANGED';

  constructor(code: CannotDecide['code']) {
    super(code);
    this.code = code;
  }
}

/** The word of a write that decides about an act; see `touches` of the database. */
export const touchedByAct = (id: string): string => `waiting:${id}`;

const EVENTS = { confirmed: 'waiting_act.confirmed', refused: 'waiting_act.refused', withdrawn: 'waiting_act.withdrawn' } as const;

/**
 * Decides about an act that waits, once, as part of a write. A confirmation is part of the write that does the act.
 * @param shownHash the hash of what the console showed to the person who confirms.
 * @returns the act, with the role that the first person has now.
 * @throws CannotDecide
 */
export async function decideIn(
  tx: Tx,
  { id, state, by, at, shownHash }: { id: string; state: keyof typeof EVENTS; by: Doer; at: number; shownHash?: string | undefined },
): Promise<{ act: WaitingRow; first: Pick<Doer, 'id' | 'role'> }> {
  const [act] = await tx
    .select()
    .from(waitingActs)
    .where(and(eq(waitingActs.id, id), isOpen(at)));
  if (act === undefined) throw new CannotDecide('NOT_WAITING');
  if (state !== 'withdrawn') await refuseAsSecond(tx, act, by);
  else if (act.byId !== by.id) throw new CannotDecide('NOT_WAITING');
  const first = await personRow(tx, act.byId);
  if (state === 'confirmed') refuseToConfirm(act, first, shownHash);
  const done: { state: WaitingState; decidedById: string; decidedAt: number } = { state, decidedById: by.id, decidedAt: at };
  const [decided] = await tx
    .update(waitingActs)
    .set(done)
    .where(and(eq(waitingActs.id, id), eq(waitingActs.state, 'waiting')))
    .returning({ id: waitingActs.id });
  if (decided === undefined) throw new CannotDecide('NOT_WAITING');
  const body = { ...factsOf(act), name: first?.name ?? act.byName, firstId: act.byId };
  await appendEvent(tx, { type: EVENTS[state], subject: id, body, at });
  failPoint('waiting-step');
  return { act, first: { id: act.byId, role: first?.role ?? act.byRole } };
}

/**
 * Refuses everybody who may not be the second person. @throws CannotDecide unless this is another person, who may
 * confirm now.
 */
async function refuseAsSecond(tx: Tx, act: WaitingRow, by: Doer): Promise<void> {
  if (by.kind !== 'person') throw new CannotDecide('NEEDS_A_PERSON');
  if (act.byId === by.id) throw new CannotDecide('SAME_PERSON');
  const second = await personRow(tx, by.id);
  if (second?.state !== 'active' || !CONFIRMING.includes(second.role)) throw new CannotDecide('NOT_ALLOWED_YOURSELF');
}

/** @throws CannotDecide when the act is not what was shown, or its first person may not do it any more. */
function refuseToConfirm(act: WaitingRow, first: PersonRow | undefined, shownHash: string | undefined): void {
  if (hashOf(act) !== act.hash || act.hash !== shownHash) throw new CannotDecide('CHANGED');
  if (first?.state !== 'active' || !MAY_ASK[act.operation].includes(first.role)) throw new CannotDecide('FIRST_GONE');
}

/**
 * Ends all acts that wait, after the books were put back from a copy: it does not know what was done since. Part of a
 * write.
 */
export async function lapseAll(tx: Tx): Promise<void> {
  await tx.update(waitingActs).set({ state: 'lapsed' }).where(eq(waitingActs.state, 'waiting'));
}
