import { eq, inArray, max } from 'drizzle-orm';
import type { ClosingAccount, ClosingFigures } from '../../src-shared/operator-contract/shop/closings.ts';
import { events } from '../journal/tables.ts';
import { newestMovement } from '../ledger/boundary.ts';
import { inParts } from '../ledger/in-parts.ts';
import { refunds } from '../payments/refunds/tables.ts';
import { incomingPayments, outgoingPayments } from '../payments/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import { type AccountState, accountsChanged, accountsNamed, byName, byNameInSteps, lineOf } from './accounts.ts';
import { Gathered, type GivenBackSale, movedIn, type Place } from './gathered.ts';
import { type Head, lastClosing } from './papers.ts';
import { Reasons } from './reasons.ts';
import { nextTurn, noPause, ROWS_AT_ONCE } from './steps.ts';
import { SaleSums, type Until } from './sums.ts';

/** What had moved since a closing when it was prepared. Nothing here changes, because the same may be used twice. */
interface Before {
  /** The final movements. */
  readonly gathered: Gathered;
  /** The accounts that have moved, and those whose balance is another one than at that closing. */
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** The same, by name. */
  readonly byName: readonly AccountState[];
  readonly sums: SaleSums;
  readonly until: Until;
}

/** What was prepared, and the closing behind which it begins. */
export interface Prepared extends Before {
  readonly last: Head | undefined;
  /** Whether it can be used: every movement was visible. */
  readonly isWhole: boolean;
}

const placeOf = (last: Head | undefined): Place => ({ movement: last?.boundary ?? 0n, event: last?.eventBoundary ?? 0n });

/** The place where the books stand now. */
export async function present(reader: Reader): Promise<Place> {
  const [row] = await reader.select({ position: max(events.position) }).from(events);
  return { movement: await newestMovement(reader), event: BigInt(row?.position ?? 0n) };
}

/**
 * Gathers and adds up what is final, while requests go on: it does not change any more, however much is written
 * meanwhile. The accounts are read after it. So one whose balance changes later has moved since (decisions.md#D-124).
 */
export async function prepare(aside: Reader): Promise<Prepared> {
  const last = await lastClosing(aside);
  const gathered = new Gathered(placeOf(last));
  const seen = await present(aside);
  await gathered.addUpTo(aside, seen, nextTurn);
  const accounts = new Map<string, AccountState>();
  const add = async (parts: AsyncIterable<AccountState[]>) => {
    for await (const some of parts) {
      for (const account of some) accounts.set(account.id, account);
      await nextTurn();
    }
  };
  await add(accountsChanged(aside));
  for (const some of inParts(gathered.accounts.keys(), ROWS_AT_ONCE)) {
    await add(
      accountsNamed(
        aside,
        some.filter((id) => !accounts.has(id)),
      ),
    );
    await nextTurn();
  }
  const until = await readUntil(aside, gathered, new Gathered(placeOf(last)), nextTurn);
  const sums = new SaleSums();
  await sums.addAll(gathered, accounts, until, nextTurn);
  const isWhole = gathered.rows === seen.movement - placeOf(last).movement;
  return { last, isWhole, gathered, accounts, byName: await byNameInSteps([...accounts.values()], nextTurn), until, sums };
}

/** Everything that has moved since a closing, at one moment. */
export interface Period {
  readonly before: Before;
  /** The movements since it was prepared. */
  readonly rest: Gathered;
  /** The accounts that have moved in the rest, as they are now. */
  readonly fresh: ReadonlyMap<string, AccountState>;
  /** How far the sales in the rest are now. */
  readonly until: Until;
}

/**
 * Reads what has moved since it was prepared. It gathers everything anew when somebody closed the day meanwhile.
 * @param growing whether movements that have no number yet count, too.
 */
export async function readRest(reader: Reader, prepared: Prepared, { newest, end, growing }: End): Promise<Period> {
  const fits = prepared.isWhole && newest?.number === prepared.last?.number;
  const before = fits ? prepared : nothingSince(newest);
  const rest = before.gathered.continued();
  await rest.addUpTo(reader, end);
  if (growing) await rest.addGrowing(reader);
  const ids = fits ? rest.accounts.keys() : new Set([...rest.accounts.keys(), ...prepared.accounts.keys()]);
  const fresh = new Map<string, AccountState>();
  for await (const some of accountsNamed(reader, ids)) {
    for (const account of some) if (rest.accounts.has(account.id) || account.opening !== account.closing) fresh.set(account.id, account);
  }
  return { before, rest, fresh, until: await readUntil(reader, rest, before.gathered) };
}

/**
 * Whether the share of a bill does not follow from these movements: more of it has come before or may still come, or
 * something was given back.
 */
function isUnsettled(id: string, gathered: Gathered, before: Gathered): boolean {
  const [sale, back] = [gathered.sales.get(id), gathered.givenBack.get(id)];
  const bill = (sale ?? back)?.bill;
  if (bill === undefined) return false;
  return sale === undefined || back !== undefined || sale.amount < bill.total || before.sales.has(id) || before.givenBack.has(id);
}

/** Reads how far the sales are now whose shares do not follow from the movements. */
async function readUntil(reader: Reader, gathered: Gathered, before: Gathered, pause = noPause): Promise<Until> {
  const [received, refunded] = [new Map<string, bigint>(), new Map<string, bigint>()];
  for (const some of inParts(gathered.touched(), ROWS_AT_ONCE)) {
    const ids = some.filter((id) => isUnsettled(id, gathered, before));
    await pause();
    if (ids.length === 0) continue;
    const payments = reader.select({ id: incomingPayments.id, received: incomingPayments.received }).from(incomingPayments);
    for (const row of await payments.where(inArray(incomingPayments.id, ids))) received.set(row.id, row.received);
    const givenBack = reader
      .select({ id: refunds.incomingPaymentId, sent: exactSum(outgoingPayments.sent) })
      .from(refunds)
      .innerJoin(outgoingPayments, eq(outgoingPayments.id, refunds.outgoingPaymentId))
      .where(inArray(refunds.incomingPaymentId, ids))
      .groupBy(refunds.incomingPaymentId);
    for (const row of await givenBack) refunded.set(row.id, row.sent);
  }
  return { received, refunded };
}

/** The end of a period. */
interface End {
  /** The closing before it. */
  newest: Head | undefined;
  end: Place;
  growing: boolean;
}

const nothingSince = (last: Head | undefined): Before => ({
  gathered: new Gathered(placeOf(last)),
  accounts: new Map(),
  byName: [],
  sums: new SaleSums(),
  until: { received: new Map(), refunded: new Map() },
});

/** The first accounts in a period by name, and how many there are. */
export function accountsIn({ before, fresh }: Period, most = Number.POSITIVE_INFINITY): { accounts: AccountState[]; count: number } {
  const further = [...fresh.values()].filter(({ id }) => !before.accounts.has(id));
  const known = before.byName.slice(0, most).map((account) => fresh.get(account.id) ?? account);
  const accounts = further.length === 0 ? known : byName([...known, ...further]).slice(0, most);
  return { accounts, count: before.byName.length + further.length };
}

/**
 * The accounts whose balance has changed. Most of them are in the order of their ids, in which the database stores them
 * much sooner.
 */
export function changedIn({ before, fresh }: Period): AccountState[] {
  const all: AccountState[] = [];
  for (const account of before.accounts.values()) if (!fresh.has(account.id)) all.push(account);
  return [...all, ...fresh.values()].filter(({ opening, closing }) => opening !== closing);
}

/** The line of an account in a period. @param sums the sums of that period */
export const lineIn = ({ before, rest }: Pick<Period, 'before' | 'rest'>, sums: SaleSums, account: AccountState): ClosingAccount =>
  lineOf(account, movedIn(before.gathered, rest, account.id), sums.ofAccount(account));

/** The sums of the sales of a period. A sale that has moved in the rest is counted anew. */
export function sumsOf({ before, rest, fresh, until }: Period): SaleSums {
  const sums = before.sums.continued();
  for (const id of rest.touched()) {
    const [sale, back] = [rest.sales.get(id), rest.givenBack.get(id)];
    const asset = fresh.get((sale ?? back)?.accountId ?? '');
    if (asset === undefined) continue;
    const former = { sale: before.gathered.sales.get(id), back: before.gathered.givenBack.get(id) };
    sums.add({ id, ...former, until: before.until }, asset, -1n);
    sums.add({ id, sale: plus(former.sale, sale), back: backPlus(former.back, back), until }, asset);
  }
  return sums;
}

/** The figures of a period without the accounts. */
export const figuresOf = async (
  { before, rest }: Pick<Period, 'before' | 'rest'>,
  sums: SaleSums,
  pause = noPause,
): Promise<Omit<ClosingFigures, 'accounts' | 'accountCount'>> => ({
  ...(await sums.lists(pause)),
  ...failuresOf(before.gathered, rest),
});

/** What failed in two times that follow each other, and why. A payment is counted once, though it may be in both. */
function failuresOf(before: Gathered, rest: Gathered) {
  const [reasons, ofRefunds] = [new Reasons(), new Reasons()];
  for (const reason of before.failures.values()) reasons.add(reason);
  for (const [id, reason] of rest.failures) if (!before.failures.has(id)) reasons.add(reason);
  for (const reason of [...before.refundFailures, ...rest.refundFailures]) ofRefunds.add(reason);
  const [failures, refundFailures] = [reasons.count, ofRefunds.count];
  return {
    failures,
    ...(failures > 0 && { failureReasons: reasons.list() }),
    ...(refundFailures > 0 && { refundFailures, refundFailureReasons: ofRefunds.list() }),
  };
}

/** What moved of a sale in two times that follow each other. */
const plus = <T extends { amount: bigint }>(one: T | undefined, other: T | undefined): T | undefined =>
  one === undefined || other === undefined ? (one ?? other) : { ...one, amount: one.amount + other.amount };

function backPlus(one: GivenBackSale | undefined, other: GivenBackSale | undefined): GivenBackSale | undefined {
  const both = plus(one, other);
  return both && { ...both, refunds: new Set([...(one?.refunds ?? []), ...(other?.refunds ?? [])]) };
}
