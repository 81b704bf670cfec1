import { and, eq, gt, lte } from 'drizzle-orm';
import type { Asset } from '../../src-shared/amounts.ts';
import { events } from '../journal/tables.ts';
import { growingMovements, MOVEMENTS_AT_ONCE, type Movement, movementsAfter, sidesOf } from '../ledger/boundary.ts';
import { GIVEN_BACK } from '../ledger/transfer-kinds.ts';
import { billSums } from '../payments/bills/bills.ts';
import { REFUND_FAILED } from '../payments/refunds/refund-rows.ts';
import { paymentsBehind, type Seller, sellersOf } from '../payments/sellers.ts';
import { incomingPayments } from '../payments/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { isOneOf } from '../platform/database/dialect.ts';
import { assetsOf, type Moved } from './accounts.ts';
import type { GivenBackSale, Sale } from './sale.ts';
import { noPause } from './steps.ts';
import { SaleSums } from './sums.ts';

/** The place where something begins or ends: a number of the ledger, and a position of the journal. */
export interface Place {
  movement: bigint;
  event: bigint;
}

/**
 * The movements between two places. They are gathered step by step, and each movement is added once. A sale that is
 * complete, and came in one movement, is added up at once. So what is kept does not grow with the number of sales
 * (decisions.md#D-326).
 */
export class Gathered {
  readonly accounts = new Map<string, Moved>();
  /** The sums of the sales that are complete and came in one movement. */
  readonly sums: SaleSums;
  /** The other sales, by the id of the incoming payment. */
  readonly sales = new Map<string, Sale>();
  /** The amount that was given back of each, by the id of the incoming payment. */
  readonly givenBack = new Map<string, GivenBackSale>();
  /** Why payments failed, by the id of the payment. */
  readonly failures = new Map<string, string>();
  /** Why refunds failed before any money left. */
  readonly refundFailures: string[] = [];
  /** The number of numbered movements that were added. */
  rows = 0n;
  readonly #assets: Map<string, Asset>;
  #at: Place;

  /** @param sums the sums with which it begins */
  constructor(begin: Place, sums = new SaleSums(), assets = new Map<string, Asset>()) {
    this.#at = begin;
    this.sums = sums;
    this.#assets = assets;
  }

  /** What comes after this, and nothing of it yet but these sums. Nothing may be added to this any more. */
  continued(): Gathered {
    return new Gathered(this.#at, this.sums.continued(), this.#assets);
  }

  /** The ids of the sales that were not added up at once, and of those that were given back, each once. */
  *touched(): Generator<string> {
    yield* this.sales.keys();
    for (const id of this.givenBack.keys()) if (!this.sales.has(id)) yield id;
  }

  /** Adds the final movements up to a place. @param pause lets others go on after some movements; not within a write */
  async addUpTo(reader: Reader, end: Place, pause = noPause): Promise<void> {
    let { movement } = this.#at;
    while (movement < end.movement) {
      const rows = await movementsAfter(reader, movement, end.movement);
      await this.#addMovements(reader, rows);
      this.rows += BigInt(rows.length);
      await pause();
      movement = rows.length < MOVEMENTS_AT_ONCE ? end.movement : (rows.at(-1)?.number ?? end.movement);
    }
    for (let place = this.#at.event; place < end.event; ) {
      const failed = await refundFailuresBetween(reader, place, end.event);
      this.refundFailures.push(...failed.reasons);
      await pause();
      place = failed.place;
    }
    this.#at = end;
  }

  /** Adds the movements that have no number yet. */
  async addGrowing(reader: Reader): Promise<void> {
    const rows = await growingMovements(reader);
    for (let first = 0; first < rows.length; first += MOVEMENTS_AT_ONCE)
      await this.#addMovements(reader, rows.slice(first, first + MOVEMENTS_AT_ONCE));
  }

  #of(account: string): Moved {
    const known = this.accounts.get(account);
    if (known !== undefined) return known;
    const made = { sales: 0n, refunds: 0n, sent: 0n, deposits: 0n, withdrawals: 0n };
    this.accounts.set(account, made);
    return made;
  }

  async #addMovements(reader: Reader, rows: readonly Movement[]): Promise<void> {
    const posted = rows.filter(({ state }) => state === 'posted');
    const facts = await paymentsBehind(reader, endingIn(rows));
    for (const [id, reason] of facts.failures) this.failures.set(id, reason);
    const came: Part[] = [];
    const gone: (Part & { refund: string })[] = [];
    for (const row of posted) {
      const { to, from } = sidesOf(row);
      const id = row.paymentId ?? '';
      if (to !== undefined) {
        const moved = this.#of(to);
        if (row.kind === 'payment') {
          moved.sales += row.amount;
          came.push({ id: facts.receivers.get(id) ?? id, accountId: to, amount: row.amount });
        } else moved.deposits += row.amount;
      }
      if (from !== undefined) {
        const refundOf = facts.refunds.get(id);
        this.#took(from, row, refundOf !== undefined);
        if (row.kind === 'payment' && refundOf !== undefined) gone.push({ id: refundOf, accountId: from, amount: row.amount, refund: id });
      }
    }
    await this.#addSales(reader, came);
    await this.#addGivenBack(reader, gone);
  }

  #took(from: string, { kind, amount }: Movement, isRefund: boolean): void {
    const moved = this.#of(from);
    if (kind !== 'payment') moved.withdrawals += amount;
    else if (isRefund) moved.refunds += amount;
    else moved.sent += amount;
  }

  async #addGivenBack(reader: Reader, gone: readonly (Part & { refund: string })[]): Promise<void> {
    const factsOf = await this.#read(reader, gone, this.givenBack);
    for (const { refund, ...part } of gone) {
      const sale = this.givenBack.get(part.id) ?? givenBackOf(factsOf(part)?.sale);
      if (sale === undefined) continue;
      sale.amount += part.amount;
      sale.refunds.add(refund);
      this.givenBack.set(part.id, sale);
    }
  }

  async #addSales(reader: Reader, came: readonly Part[]): Promise<void> {
    const factsOf = await this.#read(reader, came, this.sales);
    for (const part of came) {
      const known = this.sales.get(part.id);
      if (known !== undefined) {
        known.amount += part.amount;
        continue;
      }
      const facts = factsOf(part);
      if (facts?.isSettled) this.sums.addCame(facts.sale);
      else if (facts !== undefined) this.sales.set(part.id, facts.sale);
    }
  }

  /**
   * Reads the facts of the incoming payments that are not known yet. A payment on no known account has none. A payment
   * is settled when it is complete and came in one movement.
   */
  async #read(reader: Reader, parts: readonly Part[], known: ReadonlyMap<string, Sale>) {
    const unknown = [...new Set(parts.map(({ id }) => id))].filter((id) => !known.has(id));
    const [sellers, bills] = [await sellersOf(reader, unknown), await billSums(reader, unknown)];
    const states = await statesOf(reader, unknown);
    const accounts = new Set(parts.map(({ accountId }) => accountId).filter((id) => !this.#assets.has(id)));
    for (const [id, asset] of await assetsOf(reader, [...accounts])) this.#assets.set(id, asset);
    return ({ id, accountId, amount }: Part): { sale: Sale; isSettled: boolean } | undefined => {
      const asset = this.#assets.get(accountId);
      if (asset === undefined) return undefined;
      const state = states.get(id);
      return {
        sale: { ...(sellers.get(id) ?? NOBODY), accountId, asset, amount, bill: bills.get(id) },
        isSettled: state?.completed === true && state.received === amount,
      };
    };
  }
}

/** The sale, of which nothing was given back so far. */
const givenBackOf = (sale: Sale | undefined): GivenBackSale | undefined => sale && { ...sale, amount: 0n, refunds: new Set() };

/** How much has come of incoming payments so far, and whether no more comes. */
async function statesOf(reader: Reader, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const { id, received, completed } = incomingPayments;
  const rows = await reader.select({ id, received, completed }).from(incomingPayments).where(isOneOf(id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The movements of an account in two that follow each other. */
export function movedIn(before: Gathered, rest: Gathered, account: string): Moved | undefined {
  const [one, other] = [before.accounts.get(account), rest.accounts.get(account)];
  if (one === undefined || other === undefined) return one ?? other;
  return {
    ...{ sales: one.sales + other.sales, refunds: one.refunds + other.refunds, sent: one.sent + other.sent },
    ...{ deposits: one.deposits + other.deposits, withdrawals: one.withdrawals + other.withdrawals },
  };
}

/** The part that a movement brought to a sale, or gave back of it. */
interface Part {
  id: string;
  accountId: string;
  amount: bigint;
}

const NOBODY: Seller = { madeBy: 'desk', app: null, till: null, person: undefined };

/**
 * The payments of which one of these movements may be the last. A payment that fails moves something in the same write:
 * so it is failed in the closing that has this movement, and was not in any before.
 */
const endingIn = (rows: readonly Movement[]): string[] => [
  ...new Set(rows.flatMap(({ kind, paymentId }) => (kind === 'payment' || kind === GIVEN_BACK ? (paymentId ?? []) : []))),
];

/** The number of events that one look reads. */
const EVENTS_AT_ONCE = 5_000;

/** Why refunds failed of which nothing has left. These events never go into the archive (decisions.md#D-308). */
async function refundFailuresBetween(reader: Reader, after: bigint, last: bigint): Promise<{ reasons: string[]; place: bigint }> {
  const step = after + BigInt(EVENTS_AT_ONCE);
  const place = step < last ? step : last;
  const rows = await reader
    .select({ body: events.body })
    .from(events)
    .where(and(gt(events.position, after), lte(events.position, place), eq(events.type, REFUND_FAILED)));
  return { reasons: rows.map(({ body }) => body.reason ?? ''), place };
}
