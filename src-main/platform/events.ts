import { asc, gt, sql } from 'drizzle-orm';
import { actOf } from './acting.ts';
import { appendActivity } from './activity-log.ts';
import { type Database, prepared, type Tx } from './database/database.ts';
import { events, nextPosition } from './tables.ts';

/** Every kind of thing that can happen, as `subject.what`. */
export type EventType =
  | 'account.created'
  | 'account.deposited'
  | 'account.withdrawn'
  | 'client_key.added'
  | 'client_key.revoked'
  | 'incoming_payment.created'
  | 'incoming_payment.received'
  | 'incoming_payment.completed'
  | 'outgoing_payment.created'
  | 'outgoing_payment.sending'
  | 'outgoing_payment.sent'
  | 'outgoing_payment.retrying'
  | 'outgoing_payment.settling'
  | 'outgoing_payment.unknown'
  | 'outgoing_payment.resolved'
  | 'outgoing_payment.completed'
  | 'outgoing_payment.failed'
  | 'grant.requested'
  | 'grant.opened'
  | 'grant.code_mistyped'
  | 'grant.approved'
  | 'grant.denied'
  | 'grant.issued'
  | 'grant.lapsed'
  | 'grant.revoked'
  | 'grant.frozen'
  | 'grant.allowed_again'
  | 'token.rotated'
  | 'token.revoked'
  | 'operator.signed_in'
  | 'operator.signed_out'
  | 'payments.exported'
  | 'activity.exported'
  | 'support.bundled'
  | 'peer.added'
  | 'peer.changed'
  | 'peer.removed'
  | 'peer.settled'
  | 'rate.set'
  | 'rate.removed'
  | 'lock.set'
  | 'lock.changed'
  | 'lock.removed'
  | 'lock.passphrase_refused'
  | 'console.locked'
  | 'console.unlocked'
  | 'node.restored'
  | 'node.replaced'
  | 'backup.made'
  | 'backup.scheduled'
  | 'backup.unscheduled'
  | 'backup.failed'
  | 'settings.changed'
  | 'exchange.funded'
  | 'exchange.withdrawn';

export interface NewEvent {
  type: EventType;
  subject: string;
  walletAddressId?: string;
  /** Small facts for the timeline and the audit log; amounts as decimal text, never a secret. */
  body?: Record<string, string>;
  at: number;
}

export interface StoredEvent extends Required<Omit<NewEvent, 'walletAddressId'>> {
  position: bigint;
  walletAddressId: string | null;
}

const $ = sql.placeholder;
const append = prepared((tx: Tx) =>
  tx
    .insert(events)
    .values({
      position: nextPosition,
      type: $('type'),
      subject: $('subject'),
      walletAddressId: $('walletAddressId'),
      body: $('body'),
      at: $('at'),
    })
    .prepare(),
);

/** Records that something happened, in the write that made it happen; what the operator did also goes into the log of activities. */
export async function appendEvent(tx: Tx, event: NewEvent): Promise<void> {
  await append(tx).execute({ ...event, walletAddressId: event.walletAddressId ?? null, body: event.body ?? {} });
  const act = actOf(tx);
  if (act?.event === event.type) await appendActivity(tx, act, event);
}

export type EventListener = (batch: readonly StoredEvent[]) => void;

const READ_AT_ONCE = 500;

/**
 * Tells listeners in this process what was committed, in order. It reads the table itself, so nothing is told that is not
 * stored, and nothing is read while nobody listens.
 */
export class EventFeed {
  readonly #database: Database;
  readonly #listeners = new Set<EventListener>();
  readonly #closed = new AbortController();
  readonly #stop: () => void;
  #position = 0n;
  #reading: Promise<void> | undefined;
  #again = false;

  constructor(database: Database) {
    this.#database = database;
    this.#stop = database.onCommit(() => this.#wake());
  }

  /** Calls `listener` with everything committed from now on. Returns the way to stop it. */
  async listen(listener: EventListener): Promise<() => void> {
    if (this.#listeners.size === 0) {
      const last = await lastPosition(this.#database);
      // Another listener may have come meanwhile, and must not lose what it still waits for.
      if (this.#listeners.size === 0) this.#position = last;
    }
    this.#listeners.add(listener);
    // A commit between the look at the table and this line woke nobody.
    this.#wake();
    return () => this.#listeners.delete(listener);
  }

  /** Aborted once nobody is told anything any more, because the node stops. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Tells nobody anything any more. Resolves once the database is not read any more, which may be closed then. */
  async close(): Promise<void> {
    this.#stop();
    this.#listeners.clear();
    this.#closed.abort();
    await this.#reading;
  }

  #wake(): void {
    if (this.#listeners.size === 0) return;
    this.#again = true;
    this.#reading ??= this.#readOn().finally(() => {
      this.#reading = undefined;
    });
  }

  async #readOn(): Promise<void> {
    while (this.#again && this.#listeners.size > 0) {
      this.#again = false;
      const batch = await this.#database.read
        .select()
        .from(events)
        .where(gt(events.position, this.#position))
        .orderBy(asc(events.position))
        .limit(READ_AT_ONCE);
      const last = batch.at(-1);
      if (last === undefined) continue;
      this.#position = last.position;
      this.#again ||= batch.length === READ_AT_ONCE;
      for (const listener of [...this.#listeners]) listener(batch);
      // One turn between batches: a busy node tells its listeners less often, not more slowly.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

async function lastPosition(database: Database): Promise<bigint> {
  const [row] = await database.read.select({ last: sql<bigint>`coalesce(max(${events.position}), 0)` }).from(events);
  return row?.last ?? 0n;
}
