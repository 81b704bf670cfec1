import { max } from 'drizzle-orm';
import type { ClosingAccount, ClosingFigures } from '../../src-shared/operator-contract/shop/closings.ts';
import { events } from '../journal/tables.ts';
import { newestMovement } from '../ledger/boundary.ts';
import { inParts } from '../ledger/in-parts.ts';
import type { Reader } from '../platform/database/database.ts';
import { type AccountState, accountsChanged, accountsNamed, byName, byNameInSteps, lineOf } from './accounts.ts';
import { Gathered, movedIn, type Place } from './gathered.ts';
import { type Head, lastClosing } from './papers.ts';
import { Reasons } from './reasons.ts';
import { type GivenBackSale, NOTHING_YET, type Until } from './sale.ts';
import { LINES_AT_ONCE, nextTurn, noPause, ROWS_AT_ONCE } from './steps.ts';
import { readUntil } from './until.ts';

/** What had moved since a closing when it was prepared. Nothing here changes, because the same may be used twice. */
interface Before {
  /** The final movements. */
  readonly gathered: Gathered;
  /** The accounts that have moved, and those whose balance is another one than at that closing. */
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** The same, by name. */
  readonly byName: readonly AccountState[];
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
  const until = await readUntil(aside, gathered, nextTurn);
  await gathered.sums.addAll(gathered, until, nextTurn);
  const isWhole = gathered.rows === seen.movement - placeOf(last).movement;
  return { last, isWhole, gathered, accounts, byName: await byNameInSteps([...accounts.values()], nextTurn), until };
}

/** Everything that has moved since a closing, at one moment. */
export interface Period {
  readonly before: Before;
  /** The movements since it was prepared, and the sums of the sales of the whole period. */
  readonly rest: Gathered;
  /** The accounts that have moved in the rest, as they are now. */
  readonly fresh: ReadonlyMap<string, AccountState>;
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
  addRest(before, rest, await readUntil(reader, rest));
  return { before, rest, fresh };
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
  until: NOTHING_YET,
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

/** The line of an account in a period. */
export const lineIn = ({ before, rest }: Pick<Period, 'before' | 'rest'>, account: AccountState): ClosingAccount =>
  lineOf(account, movedIn(before.gathered, rest, account.id), rest.sums.ofAccount(account));

/**
 * Adds the rest to the sums before it. A sale that has moved in both is counted anew.
 * @param until how far the sales in the rest are
 */
export function addRest(before: Pick<Before, 'gathered' | 'until'>, rest: Gathered, until: Until): void {
  const { sums } = rest;
  for (const id of rest.touched()) {
    const [sale, former] = [rest.sales.get(id), before.gathered.sales.get(id)];
    if (sale !== undefined && former !== undefined) sums.addCame(former, before.until.received.get(id), -1n);
    if (sale !== undefined) sums.addCame(plus(former, sale) ?? sale, until.received.get(id));
    const back = before.gathered.givenBack.get(id);
    if (back !== undefined) sums.addBack(back, before.until.refunded.get(id), -1n);
    const both = backPlus(back, rest.givenBack.get(id));
    if (both !== undefined) sums.addBack(both, until.refunded.get(id));
  }
}

/** The figures of a period without the accounts. */
export const figuresOf = async (
  { before, rest }: Pick<Period, 'before' | 'rest'>,
  pause = noPause,
): Promise<Omit<ClosingFigures, 'accounts' | 'accountCount'>> => ({
  ...(await rest.sums.lists(pause)),
  ...(await failuresOf(before.gathered, rest, pause)),
});

/** What failed in two times that follow each other, and why. A payment is counted once, though it may be in both. */
async function failuresOf(before: Gathered, rest: Gathered, pause: () => Promise<void>) {
  const [reasons, ofRefunds] = [new Reasons(), new Reasons()];
  for (const some of inParts(before.failures.values(), LINES_AT_ONCE)) {
    for (const reason of some) reasons.add(reason);
    await pause();
  }
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
