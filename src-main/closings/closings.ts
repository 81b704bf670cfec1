import { createHash } from 'node:crypto';
import { asc, desc, eq, getTableColumns, inArray, lt, max, sql } from 'drizzle-orm';
import { dayAt } from '../../src-shared/calendar.ts';
import type { Closing, ClosingHead, CurrentFigures } from '../../src-shared/operator-contract/shop/closings.ts';
import type { Role } from '../../src-shared/people/roles.ts';
import { appendEvent } from '../journal/events.ts';
import { events } from '../journal/tables.ts';
import { endGrowing, moneyOf, newestMovement } from '../ledger/boundary.ts';
import { accountId } from '../ledger/ledger.ts';
import type { AccountKind } from '../ledger/tables.ts';
import { refunds } from '../payments/refunds/tables.ts';
import { incomingPayments, outgoingPayments } from '../payments/tables.ts';
import type { Core } from '../platform/core.ts';
import type { Reader, Tx } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import { failPoint } from '../platform/fail-points.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { readShop, type Shop } from '../shop/shop.ts';
import { walletAddresses } from '../wallet-addresses/tables.ts';
import { accountsIn, type Balances, figuresFrom, figuresOf, partlyPaidIn, refundedIn, storedText } from './figures.ts';
import { Gathered, type Place } from './gathered.ts';
import { closingBalances, dayClosings } from './tables.ts';

type Row = typeof dayClosings.$inferSelect;
/** A closing without its figures, which have a line for each account. */
type Head = Omit<Row, 'figures' | 'requestId'>;
type Parts = Pick<Core, 'database' | 'clock'>;

/** The first closing uses it as the hash of the closing before it. */
const ROOT = 'paydesk day closing 1';
const LISTED = 50;
/** The number of ids that one question names. */
const IDS_AT_ONCE = 250;

/** The SHA-256 of a closing, in hexadecimal. @param before the hash of the closing before it */
function hashOf(before: string, row: Omit<Row, 'hash'>): string {
  const { number, at, day, timeZone, dayEndsAt, boundary, eventBoundary, byName, byRole, figures } = row;
  const facts = [number, at, day, timeZone, dayEndsAt, boundary.toString(), eventBoundary.toString(), byName, byRole, figures];
  return createHash('sha256')
    .update(`${before}\n${JSON.stringify(facts)}`)
    .digest('hex');
}

const placeOf = (last: Head | undefined): Place => ({ movement: last?.boundary ?? 0n, event: last?.eventBoundary ?? 0n });

const { figures: _figures, requestId: _requestId, ...HEAD } = getTableColumns(dayClosings);

async function lastClosing(reader: Reader): Promise<Head | undefined> {
  const [row] = await reader.select(HEAD).from(dayClosings).orderBy(desc(dayClosings.number)).limit(1);
  return row;
}

/** The place where the books stand now. */
async function present(reader: Reader): Promise<Place> {
  const [row] = await reader.select({ position: max(events.position) }).from(events);
  return { movement: await newestMovement(reader), event: BigInt(row?.position ?? 0n) };
}

const inParts = function* (ids: readonly string[]): Generator<string[]> {
  for (let first = 0; first < ids.length; first += IDS_AT_ONCE) yield ids.slice(first, first + IDS_AT_ONCE);
};

/** The balances of these accounts at the last closing and now. */
async function balancesOf(reader: Reader, ids: readonly string[]): Promise<Balances> {
  const [opening, closing] = [new Map<string, bigint>(), new Map<string, bigint>()];
  for (const some of inParts(ids)) {
    for (const row of await reader.select().from(closingBalances).where(inArray(closingBalances.accountId, some)))
      opening.set(row.accountId, BigInt(row.balance));
    for (const [id, balance] of await moneyOf(reader, some)) closing.set(id, balance);
  }
  return { opening, closing };
}

/**
 * The accounts whose balance is not what it was at the last closing. It looks at all accounts. Two large balances are
 * never added up here, because their sum may need more than 64 bits.
 */
async function changedSince(reader: Reader): Promise<string[]> {
  const { id } = walletAddresses;
  const inAccount = (kind: AccountKind) =>
    sql`coalesce((select a.balance from ledger_accounts a where a.id = ${sql.raw(`'${accountId(kind, '')}'`)} || ${id}), 0)`;
  const before = sql`cast(coalesce((select b.balance from closing_balances b where b.account_id = ${id}), '0') as numeric)`;
  const rows = await reader
    .select({ id })
    .from(walletAddresses)
    .where(sql`${inAccount('customer')} <> ${before} - ${inAccount('escrow')}`);
  return rows.map((row) => row.id);
}

/** The movements of a closing: those that were gathered before, and the rest. */
interface Parted {
  before: Gathered;
  rest: Gathered;
}

/** Reads what the figures need besides the movements, at the moment at which the movements end. */
async function readFor(reader: Reader, { before, rest }: Parted, { changed, partlyPaid }: Pick<Prepared, 'changed' | 'partlyPaid'>) {
  const moved = new Map([...before.accounts, ...rest.accounts]);
  const balances = await balancesOf(reader, [...new Set([...moved.keys(), ...changed])]);
  const accounts = [];
  for (const some of inParts(accountsIn(moved, balances))) {
    accounts.push(
      ...(await reader.select().from(walletAddresses).where(inArray(walletAddresses.id, some)).orderBy(asc(walletAddresses.id))),
    );
  }
  accounts.sort((one, other) => (one.name < other.name ? -1 : 1));
  const back = [...new Set([...refundedIn(before), ...refundedIn(rest)])];
  const received = await receivedOf(reader, [...new Set([...partlyPaid, ...partlyPaidIn(rest), ...back])]);
  return { accounts, until: { balances, received, refunded: await givenBackOf(reader, back) } };
}

/** The amounts that incoming payments have received until now, in smallest units. */
async function receivedOf(reader: Reader, ids: readonly string[]): Promise<Map<string, bigint>> {
  const all = new Map<string, bigint>();
  const { id, received } = incomingPayments;
  for (const some of inParts(ids)) {
    const rows = await reader.select({ id, received }).from(incomingPayments).where(inArray(id, some));
    for (const row of rows) all.set(row.id, row.received);
  }
  return all;
}

/** The amounts that refunds have taken until now for each of these incoming payments, in smallest units. */
async function givenBackOf(reader: Reader, ids: readonly string[]): Promise<Map<string, bigint>> {
  const all = new Map<string, bigint>();
  const { incomingPaymentId: id, outgoingPaymentId } = refunds;
  for (const some of inParts(ids)) {
    const rows = await reader
      .select({ id, sent: exactSum(outgoingPayments.sent) })
      .from(refunds)
      .innerJoin(outgoingPayments, eq(outgoingPayments.id, outgoingPaymentId))
      .where(inArray(id, some))
      .groupBy(id);
    for (const row of rows) all.set(row.id, row.sent);
  }
  return all;
}

/** The final movements since a closing, or nothing that can be used. */
interface Prepared {
  last: Head | undefined;
  /** The movements. They are undefined when a number was not visible yet. */
  gathered: Gathered | undefined;
  /** The sales among them of which a part may have come before, or be still to come. */
  partlyPaid: readonly string[];
  /** The accounts whose balance was then another one than at that closing. Those that change later have moved. */
  changed: readonly string[];
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Gathers the final movements, while requests go on: they do not change any more, however much is written meanwhile.
 */
async function prepareFigures({ database: { readAside } }: Parts): Promise<Prepared> {
  const last = await lastClosing(readAside);
  const gathered = new Gathered(placeOf(last));
  const seen = await present(readAside);
  await gathered.addUpTo(readAside, seen, nextTurn);
  const isWhole = gathered.rows === seen.movement - placeOf(last).movement;
  const partlyPaid = isWhole ? partlyPaidIn(gathered) : [];
  return { last, gathered: isWhole ? gathered : undefined, partlyPaid, changed: await changedSince(readAside) };
}

/**
 * Gathers the movements that became final since then. It gathers everything anew when somebody closed the day
 * meanwhile. What was prepared stays as it is, because the same may be asked for twice.
 */
async function gatherRest(reader: Reader, newest: Head | undefined, { last, gathered }: Prepared, end: Place): Promise<Parted> {
  const fits = gathered !== undefined && newest?.number === last?.number;
  const before = fits ? gathered : new Gathered(placeOf(newest));
  const rest = before.continued();
  await rest.addUpTo(reader, end);
  return { before, rest };
}

/** The figures since the last closing. It changes nothing. */
export async function currentFigures({ database, clock }: Parts): Promise<CurrentFigures> {
  const prepared = await prepareFigures({ database, clock });
  const at = clock.now();
  const { last, parted, found } = await database.readAtOnce(async (read) => {
    const newest = await lastClosing(read);
    const movements = await gatherRest(read, newest, prepared, await present(read));
    await movements.rest.addGrowing(read);
    return { last: newest, parted: movements, found: await readFor(read, movements, prepared) };
  });
  // A shop that never closes has many sales. Nothing is read any more, so others may go on while they are added up.
  const { before: all, rest } = parted;
  all.add(rest);
  const figures = await figuresOf(all, found.accounts, found.until, nextTurn);
  return { last: last?.number ?? 0, since: last === undefined ? null : new Date(last.at), at: new Date(at), figures };
}

interface NewClosing {
  requestId: string;
  /** The number of the last closing that the caller knows. */
  last: number;
  by: { name: string; role: Role } | null;
}

/**
 * Closes the day in one write, beside which no other runs. The write numbers all movements so far, and stores the
 * number of the last one as the boundary, with the figures, the balances and the hash. So every movement is in exactly
 * one closing, whatever moment its own clock says (decisions.md#D-236).
 *
 * Final movements do not change any more, so the node gathers them before that write: the write only adds what came
 * since.
 */
export async function closeDay({ database, clock }: Parts, wanted: NewClosing): Promise<Result<number, 'closed_meanwhile'>> {
  const prepared = await prepareFigures({ database, clock });
  const at = clock.now();
  failPoint('closing-step');
  const closed = await database.write(async (tx) => {
    const [same] = await tx.select({ number: dayClosings.number }).from(dayClosings).where(eq(dayClosings.requestId, wanted.requestId));
    if (same !== undefined) return ok(same.number);
    const newest = await lastClosing(tx);
    if ((newest?.number ?? 0) !== wanted.last) return refuse('closed_meanwhile');
    await endGrowing(tx);
    const end = await present(tx);
    const parted = await gatherRest(tx, newest, prepared, end);
    return ok(await store(tx, { wanted, newest, parted, prepared, end, at, shop: await readShop(tx) }));
  });
  failPoint('closing-step');
  return closed;
}

interface Found {
  wanted: NewClosing;
  newest: Head | undefined;
  parted: Parted;
  prepared: Prepared;
  end: Place;
  at: number;
  shop: Shop;
}

async function store(tx: Tx, { wanted, newest, parted, prepared, end, at, shop: { days } }: Found): Promise<number> {
  const { accounts, until } = await readFor(tx, parted, prepared);
  // The write may run twice, so what was gathered before it stays as it is.
  const all = new Gathered(placeOf(newest));
  for (const part of [parted.before, parted.rest]) all.add(part);
  const figures = await figuresOf(all, accounts, until);
  const closing: Omit<Row, 'hash'> = {
    number: (newest?.number ?? 0) + 1,
    requestId: wanted.requestId,
    at,
    day: dayAt(at, days),
    ...days,
    ...{ boundary: end.movement, eventBoundary: end.event },
    ...{ byName: wanted.by?.name ?? null, byRole: wanted.by?.role ?? null },
    figures: storedText(figures),
  };
  const hash = hashOf(newest?.hash ?? ROOT, closing);
  await tx.insert(dayClosings).values({ ...closing, hash });
  for (const { id } of figures.accounts) {
    const balance = String(until.balances.closing.get(id) ?? 0n);
    await tx
      .insert(closingBalances)
      .values({ accountId: id, balance })
      .onConflictDoUpdate({ target: closingBalances.accountId, set: { balance } });
  }
  await appendEvent(tx, { type: 'day.closed', subject: String(closing.number), body: { number: String(closing.number), hash }, at });
  return closing.number;
}

const headOf = ({ number, at, day, timeZone, dayEndsAt, byName, byRole, hash }: Head): ClosingHead => ({
  ...{ number, at: new Date(at), day, timeZone, dayEndsAt, hash },
  by: byRole === null ? null : { name: byName ?? '', role: byRole },
});

/** The closings, the newest first. @param below only those with a smaller number */
export async function listClosings(reader: Reader, below: number | undefined): Promise<{ items: ClosingHead[]; more: boolean }> {
  const rows = await reader
    .select(HEAD)
    .from(dayClosings)
    .where(below === undefined ? undefined : lt(dayClosings.number, below))
    .orderBy(desc(dayClosings.number))
    .limit(LISTED + 1);
  return { items: rows.slice(0, LISTED).map(headOf), more: rows.length > LISTED };
}

/** One closing, in its first form. It is undefined when there is none with this number. */
export async function closingNumbered(reader: Reader, number: number): Promise<Closing | undefined> {
  const rows = await reader
    .select()
    .from(dayClosings)
    .where(inArray(dayClosings.number, [number - 1, number]));
  const row = rows.find((one) => one.number === number);
  if (row === undefined) return undefined;
  const before = rows.find((one) => one.number === number - 1);
  return {
    ...headOf(row),
    since: before === undefined ? null : new Date(before.at),
    before: before?.hash ?? null,
    figures: figuresFrom(row.figures),
    isWhole: (number === 1 || before !== undefined) && row.hash === hashOf(before?.hash ?? ROOT, row),
  };
}
