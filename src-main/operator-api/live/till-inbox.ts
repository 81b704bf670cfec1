import { inArray } from 'drizzle-orm';
import type { Topic } from '../../../src-shared/operator-contract/node.ts';
import { checkouts } from '../../checkout/tables.ts';
import type { StoredEvent } from '../../journal/stored-events.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import { ownSales } from '../tills/own-sales.ts';
import { isForEveryTill } from './topics.ts';

/** A device that does not read looks at its sales anyway once more events than this wait for it. */
const MOST_WAITING = 1_000;

/** What happened since the device of a till was last told. Which of it is about its sales, the database says. */
export class TillInbox {
  readonly #database: Database;
  readonly #tillId: string;
  #waiting: StoredEvent[] = [];
  #missed = false;

  constructor(database: Database, tillId: string) {
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

  /** Tells what concerns the till. */
  async emptyInto(gathered: { add(event: StoredEvent): void; addTopic(topic: Topic): void }): Promise<void> {
    if (this.#missed) gathered.addTopic('requests');
    const batch = this.#waiting;
    this.#waiting = [];
    this.#missed = false;
    if (batch.length === 0) return;
    for (const event of await eventsForTill(this.#database.read, this.#tillId, batch)) gathered.add(event);
  }
}

/** The events of which the device of a till hears: of its sales, of itself, and what every till must know. */
async function eventsForTill(reader: Reader, tillId: string, batch: readonly StoredEvent[]): Promise<StoredEvent[]> {
  const attempts = batch.filter(({ type }) => type === 'attempt.failed').map(({ subject }) => subject);
  const tried = attempts.length === 0 ? [] : await triedBy(reader, attempts);
  const paymentOf = new Map(tried);
  const saleOf = ({ type, subject, body }: StoredEvent): string | undefined =>
    type === 'attempt.failed' ? paymentOf.get(subject) : type.startsWith('receipt.') ? body.payment : subject;
  const sales = batch.filter(({ type }) => /^(incoming_payment|attempt|receipt)\./.test(type)).flatMap((event) => saleOf(event) ?? []);
  const own = await ownSales(reader, tillId, [...new Set(sales)]);
  return batch.filter((event) => isForEveryTill(event.type) || event.subject === tillId || own.has(saleOf(event) ?? ''));
}

/** The incoming payments that these attempts of visitors were to pay. */
async function triedBy(reader: Reader, attempts: readonly string[]): Promise<[string, string][]> {
  const rows = await reader
    .select({ id: checkouts.id, payment: checkouts.incomingPaymentId })
    .from(checkouts)
    .where(inArray(checkouts.id, [...attempts]));
  return rows.flatMap(({ id, payment }): [string, string][] => (payment === null ? [] : [[id, payment]]));
}
