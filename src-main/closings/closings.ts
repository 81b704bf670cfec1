import { eq } from 'drizzle-orm';
import { dayAt } from '../../src-shared/calendar.ts';
import type { CurrentFigures } from '../../src-shared/operator-contract/shop/closings.ts';
import type { Role } from '../../src-shared/people/roles.ts';
import { appendEvent } from '../journal/events.ts';
import { endGrowing } from '../ledger/boundary.ts';
import { inParts } from '../ledger/in-parts.ts';
import type { Core } from '../platform/core.ts';
import type { Tx } from '../platform/database/database.ts';
import { failPoint } from '../platform/fail-points.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { readShop } from '../shop/shop.ts';
import { lineOf } from './accounts.ts';
import type { Place } from './gathered.ts';
import { type Head, lastClosing, PIECE, storeClosing } from './papers.ts';
import { accountsIn, changedIn, figuresOf, lineIn, type Period, type Prepared, prepare, present, readRest } from './period.ts';
import { LINES_AT_ONCE, nextTurn } from './steps.ts';
import { storedText } from './stored-text.ts';
import { dayClosings } from './tables.ts';

type Parts = Pick<Core, 'database' | 'clock'>;

/** The figures since the last closing. It changes nothing. */
export async function currentFigures({ database, clock }: Parts): Promise<CurrentFigures> {
  const prepared = await prepare(database.readAside);
  const at = clock.now();
  const { last, period } = await database.readAtOnce(async (read) => {
    const newest = await lastClosing(read);
    return { last: newest, period: await readRest(read, prepared, { newest, end: await present(read), growing: true }) };
  });
  // Nothing is read any more, so others may go on.
  const { accounts, count } = accountsIn(period, PIECE);
  const figures = await figuresOf(period, nextTurn);
  return {
    ...{ last: last?.number ?? 0, since: last === undefined ? null : new Date(last.at), at: new Date(at) },
    figures: { ...figures, accounts: accounts.map((account) => lineIn(period, account)), accountCount: count },
  };
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
  const prepared = await prepare(database.readAside);
  const lines = await linesOf(prepared);
  const at = clock.now();
  failPoint('closing-step');
  const closed = await database.write(async (tx) => {
    const [same] = await tx.select({ number: dayClosings.number }).from(dayClosings).where(eq(dayClosings.requestId, wanted.requestId));
    if (same !== undefined) return ok(same.number);
    const newest = await lastClosing(tx);
    if ((newest?.number ?? 0) !== wanted.last) return refuse('closed_meanwhile');
    await endGrowing(tx);
    const end = await present(tx);
    const period = await readRest(tx, prepared, { newest, end, growing: false });
    return ok(await store(tx, { wanted, newest, period, lines, end, at }));
  });
  failPoint('closing-step');
  return closed;
}

/** The lines of the accounts as they are stored, by id. */
async function linesOf({ byName, gathered }: Prepared): Promise<ReadonlyMap<string, string>> {
  const lines = new Map<string, string>();
  for (const some of inParts(byName, LINES_AT_ONCE)) {
    for (const account of some)
      lines.set(account.id, storedText(lineOf(account, gathered.accounts.get(account.id), gathered.sums.ofAccount(account))));
    await nextTurn();
  }
  return lines;
}

interface Found {
  wanted: NewClosing;
  newest: Head | undefined;
  period: Period;
  /** The lines of accounts that have not moved since. */
  lines: ReadonlyMap<string, string>;
  end: Place;
  at: number;
}

async function store(tx: Tx, { wanted, newest, period, lines, end, at }: Found): Promise<number> {
  const { days } = await readShop(tx);
  const number = (newest?.number ?? 0) + 1;
  const { accounts } = accountsIn(period);
  const hash = await storeClosing(tx, {
    facts: {
      ...{ number, requestId: wanted.requestId, at, day: dayAt(at, days), ...days },
      ...{ boundary: end.movement, eventBoundary: end.event },
      ...{ byName: wanted.by?.name ?? null, byRole: wanted.by?.role ?? null },
    },
    figures: await figuresOf(period),
    lines: accounts.map((account) => {
      const line = period.fresh.has(account.id) ? undefined : lines.get(account.id);
      return line ?? storedText(lineIn(period, account));
    }),
    changed: changedIn(period),
    before: newest?.hash,
  });
  await appendEvent(tx, { type: 'day.closed', subject: String(number), body: { number: String(number), hash }, at });
  return number;
}
