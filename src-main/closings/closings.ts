import { createHash } from 'node:crypto';
import { asc, desc, eq, inArray, lt, max } from 'drizzle-orm';
import { dayAt } from '../../src-shared/calendar.ts';
import type { Closing, ClosingFigures, ClosingHead, CurrentFigures } from '../../src-shared/operator-contract/shop/closings.ts';
import type { Role } from '../../src-shared/people/roles.ts';
import { appendEvent } from '../journal/events.ts';
import { events } from '../journal/tables.ts';
import { endGrowing, moneyOfAddresses, newestMovement } from '../ledger/boundary.ts';
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

const placeOf = (last: Row | undefined): Place => ({ movement: last?.boundary ?? 0n, event: last?.eventBoundary ?? 0n });

async function lastClosing(reader: Reader): Promise<Row | undefined> {
  const [row] = await reader.select().from(dayClosings).orderBy(desc(dayClosings.number)).limit(1);
  return row;
}

/** The place where the books stand now. */
async function present(reader: Reader): Promise<Place> {
  const [row] = await reader.select({ position: max(events.position) }).from(events);
  return { movement: await newestMovement(reader), event: BigInt(row?.position ?? 0n) };
}

async function balancesOf(reader: Reader): Promise<Balances> {
  const rows = await reader.select().from(closingBalances);
  return { opening: new Map(rows.map(({ accountId, balance }) => [accountId, BigInt(balance)])), closing: await moneyOfAddresses(reader) };
}

async function figuresIn(reader: Reader, gathered: Gathered): Promise<{ figures: ClosingFigures; balances: Balances }> {
  const balances = await balancesOf(reader);
  const ids = accountsIn(gathered.accounts, balances);
  const accounts = [];
  for (let first = 0; first < ids.length; first += IDS_AT_ONCE) {
    const some = ids.slice(first, first + IDS_AT_ONCE);
    accounts.push(
      ...(await reader.select().from(walletAddresses).where(inArray(walletAddresses.id, some)).orderBy(asc(walletAddresses.id))),
    );
  }
  accounts.sort((one, other) => (one.name < other.name ? -1 : 1));
  const back = refundedIn(gathered);
  const received = await receivedOf(reader, [...new Set([...partlyPaidIn(gathered), ...back])]);
  const refunded = await givenBackOf(reader, back);
  return { figures: figuresOf(gathered, accounts, { balances, received, refunded }), balances };
}

/** The amounts that incoming payments have received until now, in smallest units. */
async function receivedOf(reader: Reader, ids: readonly string[]): Promise<Map<string, bigint>> {
  const all = new Map<string, bigint>();
  for (let first = 0; first < ids.length; first += IDS_AT_ONCE) {
    const some = ids.slice(first, first + IDS_AT_ONCE);
    const { id, received } = incomingPayments;
    const rows = await reader.select({ id, received }).from(incomingPayments).where(inArray(id, some));
    for (const row of rows) all.set(row.id, row.received);
  }
  return all;
}

/** The amounts that refunds have taken until now for each of these incoming payments, in smallest units. */
async function givenBackOf(reader: Reader, ids: readonly string[]): Promise<Map<string, bigint>> {
  const all = new Map<string, bigint>();
  for (let first = 0; first < ids.length; first += IDS_AT_ONCE) {
    const { incomingPaymentId: id, outgoingPaymentId } = refunds;
    const rows = await reader
      .select({ id, sent: exactSum(outgoingPayments.sent) })
      .from(refunds)
      .innerJoin(outgoingPayments, eq(outgoingPayments.id, outgoingPaymentId))
      .where(inArray(id, ids.slice(first, first + IDS_AT_ONCE)))
      .groupBy(id);
    for (const row of rows) all.set(row.id, row.sent);
  }
  return all;
}

/** The final movements since a closing, or nothing that can be used. */
interface Prepared {
  last: Row | undefined;
  /** The movements. They are undefined when a number was not visible yet. */
  gathered: Gathered | undefined;
}

/**
 * Gathers the final movements, while requests go on: they do not change any more, however much is written meanwhile.
 */
async function prepareFigures({ database: { readAside } }: Parts): Promise<Prepared> {
  const last = await lastClosing(readAside);
  const gathered = new Gathered(placeOf(last));
  const seen = await present(readAside);
  await gathered.addUpTo(readAside, seen, () => new Promise((resolve) => setImmediate(resolve)));
  return { last, gathered: gathered.rows === seen.movement - placeOf(last).movement ? gathered : undefined };
}

/**
 * Adds the movements that became final since then. It gathers everything anew when somebody closed the day meanwhile.
 */
async function gatherRest(reader: Reader, newest: Row | undefined, { last, gathered }: Prepared, end: Place): Promise<Gathered> {
  const fits = gathered !== undefined && newest?.number === last?.number;
  // The same may be asked for twice, so what was prepared stays as it is.
  const all = fits ? gathered.copy() : new Gathered(placeOf(newest));
  await all.addUpTo(reader, end);
  return all;
}

/** The figures since the last closing. It changes nothing. */
export async function currentFigures({ database, clock }: Parts): Promise<CurrentFigures> {
  const prepared = await prepareFigures({ database, clock });
  const at = clock.now();
  return await database.readAtOnce(async (read) => {
    const last = await lastClosing(read);
    const gathered = await gatherRest(read, last, prepared, await present(read));
    await gathered.addGrowing(read);
    const { figures } = await figuresIn(read, gathered);
    return { last: last?.number ?? 0, since: last === undefined ? null : new Date(last.at), at: new Date(at), figures };
  });
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
    const [same] = await tx.select().from(dayClosings).where(eq(dayClosings.requestId, wanted.requestId));
    if (same !== undefined) return ok(same.number);
    const newest = await lastClosing(tx);
    if ((newest?.number ?? 0) !== wanted.last) return refuse('closed_meanwhile');
    await endGrowing(tx);
    const end = await present(tx);
    const all = await gatherRest(tx, newest, prepared, end);
    return ok(await store(tx, { wanted, newest, all, end, at, shop: await readShop(tx) }));
  });
  failPoint('closing-step');
  return closed;
}

interface Found {
  wanted: NewClosing;
  newest: Row | undefined;
  all: Gathered;
  end: Place;
  at: number;
  shop: Shop;
}

async function store(tx: Tx, { wanted, newest, all, end, at, shop: { days } }: Found): Promise<number> {
  const { figures, balances } = await figuresIn(tx, all);
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
    const balance = String(balances.closing.get(id) ?? 0n);
    await tx
      .insert(closingBalances)
      .values({ accountId: id, balance })
      .onConflictDoUpdate({ target: closingBalances.accountId, set: { balance } });
  }
  await appendEvent(tx, { type: 'day.closed', subject: String(closing.number), body: { number: String(closing.number), hash }, at });
  return closing.number;
}

const headOf = ({ number, at, day, timeZone, dayEndsAt, byName, byRole, hash }: Row): ClosingHead => ({
  ...{ number, at: new Date(at), day, timeZone, dayEndsAt, hash },
  by: byRole === null ? null : { name: byName ?? '', role: byRole },
});

/** The closings, the newest first. @param below only those with a smaller number */
export async function listClosings(reader: Reader, below: number | undefined): Promise<{ items: ClosingHead[]; more: boolean }> {
  const rows = await reader
    .select()
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
