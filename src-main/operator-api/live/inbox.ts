import { and, inArray, isNull } from 'drizzle-orm';
import type { Topic } from '../../../src-shared/operator-contract/node.ts';
import { checkouts } from '../../checkout/tables.ts';
import type { StoredEvent } from '../../journal/stored-events.ts';
import { incomingPayments } from '../../payments/tables.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import { ownSales } from '../tills/own-sales.ts';
import { isForEveryTill } from './topics.ts';

/** A listener that does not read looks at its requests anyway once more events than this wait for it. */
const MOST_WAITING = 1_000;

/** Whether an event is about a received payment, of which the database says who may hear. */
export const isOfReceived = ({ type }: StoredEvent): boolean => /^(incoming_payment|attempt|receipt)\./.test(type);

/**
 * What happened since a listener was last told, of which it may hear a part only: the device of a till of its own
 * sales, and whoever may not read payments of payment requests. Which events these are, the database says.
 */
export class Inbox {
  readonly #database: Database;
  readonly #tillId: string | undefined;
  #waiting: StoredEvent[] = [];
  #missed = false;

  constructor(database: Database, tillId: string | undefined) {
    this.#database = database;
    this.#tillId = tillId;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && !this.#missed;
  }

  put(batch: readonly StoredEvent[]): void {
    // What becomes of the till itself is kept: the stream ends with it.
    const [before, own] = [this.#waiting, batch.filter(({ subject }) => subject === this.#tillId)];
    this.#missed ||= before.length + batch.length > MOST_WAITING;
    if (this.#missed) this.#waiting = [...before.filter(({ subject }) => subject === this.#tillId), ...own];
    else before.push(...batch);
  }

  /** Tells what concerns the listener. */
  async emptyInto(gathered: { add(event: StoredEvent): void; addTopic(topic: Topic): void }): Promise<void> {
    if (this.#missed) gathered.addTopic('requests');
    const batch = this.#waiting;
    this.#waiting = [];
    this.#missed = false;
    if (batch.length === 0) return;
    for (const event of await heardOf(this.#database.read, this.#tillId, batch)) gathered.add(event);
  }
}

/** The events of which a listener hears: of its sales or requests, and for a till of itself and what all must know. */
async function heardOf(reader: Reader, tillId: string | undefined, batch: readonly StoredEvent[]): Promise<StoredEvent[]> {
  const attempts = batch.filter(({ type }) => type === 'attempt.failed').map(({ subject }) => subject);
  const tried = attempts.length === 0 ? [] : await triedBy(reader, attempts);
  const paymentOf = new Map(tried);
  const paymentIn = ({ type, subject, body }: StoredEvent): string | undefined =>
    type === 'attempt.failed' ? paymentOf.get(subject) : type.startsWith('receipt.') ? body.payment : subject;
  const payments = [...new Set(batch.filter(isOfReceived).flatMap((event) => paymentIn(event) ?? []))];
  const own = tillId === undefined ? await requestsAmong(reader, payments) : await ownSales(reader, tillId, payments);
  const isForAll = ({ type, subject }: StoredEvent) => tillId !== undefined && (isForEveryTill(type) || subject === tillId);
  return batch.filter((event) => isForAll(event) || own.has(paymentIn(event) ?? ''));
}

/** Which of these payments are payment requests, and none that an app has asked for. */
async function requestsAmong(reader: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await reader
    .select({ id: incomingPayments.id })
    .from(incomingPayments)
    .where(and(inArray(incomingPayments.id, [...ids]), isNull(incomingPayments.client)));
  return new Set(rows.map(({ id }) => id));
}

/** The incoming payments that these attempts of visitors were to pay. */
async function triedBy(reader: Reader, attempts: readonly string[]): Promise<[string, string][]> {
  const rows = await reader
    .select({ id: checkouts.id, payment: checkouts.incomingPaymentId })
    .from(checkouts)
    .where(inArray(checkouts.id, [...attempts]));
  return rows.flatMap(({ id, payment }): [string, string][] => (payment === null ? [] : [[id, payment]]));
}
