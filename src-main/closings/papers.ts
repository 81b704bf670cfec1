import { createHash } from 'node:crypto';
import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import type { Closing, ClosingAccounts, ClosingFigures, ClosingHead } from '../../src-shared/operator-contract/shop/closings.ts';
import { inParts } from '../ledger/in-parts.ts';
import type { Reader, Tx } from '../platform/database/database.ts';
import { membersOf } from '../platform/database/dialect.ts';
import type { AccountState } from './accounts.ts';
import { fromStored, storedText } from './stored-text.ts';
import { closingAccounts, closingBalances, dayClosings } from './tables.ts';

type Row = typeof dayClosings.$inferSelect;
/** A closing without its figures. */
export type Head = Omit<Row, 'figures' | 'requestId'>;

/** The figures as they are stored: without the accounts, and with the SHA-256 of each piece of them, in their order. */
type StoredFigures = Omit<ClosingFigures, 'accounts'> & { pieces: string[] };

/** The first closing uses it as the hash of the closing before it. */
const ROOT = 'paydesk day closing 1';
const LISTED = 50;
/** The number of accounts in a piece, and the most that one answer has. */
export const PIECE = 100;
/** The number of rows that one statement stores. */
const [PIECES_AT_ONCE, BALANCES_AT_ONCE] = [50, 2_000];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The SHA-256 of a closing, in hexadecimal. @param before the hash of the closing before it */
function hashOf(before: string, row: Omit<Row, 'hash'>): string {
  const { number, at, day, timeZone, dayEndsAt, boundary, eventBoundary, byName, byRole, figures } = row;
  const facts = [number, at, day, timeZone, dayEndsAt, boundary.toString(), eventBoundary.toString(), byName, byRole, figures];
  return sha256(`${before}\n${JSON.stringify(facts)}`);
}

const { figures: _figures, requestId: _requestId, ...HEAD } = getTableColumns(dayClosings);

/** The newest closing. */
export async function lastClosing(reader: Reader): Promise<Head | undefined> {
  const [row] = await reader.select(HEAD).from(dayClosings).orderBy(desc(dayClosings.number)).limit(1);
  return row;
}

/** A closing that is to be stored. */
interface NewPaper {
  readonly facts: Omit<Row, 'figures' | 'hash'>;
  readonly figures: Omit<ClosingFigures, 'accounts' | 'accountCount'>;
  /** The line of each account in it as text, by name. */
  readonly lines: readonly string[];
  /** The accounts whose balance has changed. */
  readonly changed: readonly AccountState[];
  /** The hash of the closing before. */
  readonly before: string | undefined;
}

/** Stores a closing, with the balances at which the next one begins. @returns its hash */
export async function storeClosing(tx: Tx, { facts, figures, lines, changed, before }: NewPaper): Promise<string> {
  const pieces = [...inParts(lines, PIECE)].map((some, piece) => ({ closing: facts.number, piece, accounts: `[${some.join(',')}]` }));
  const stored: StoredFigures = { ...figures, accountCount: lines.length, pieces: pieces.map((one) => sha256(one.accounts)) };
  const row = { ...facts, figures: storedText(stored) };
  const hash = hashOf(before ?? ROOT, row);
  await tx.insert(dayClosings).values({ ...row, hash });
  for (const some of inParts(pieces, PIECES_AT_ONCE)) await tx.insert(closingAccounts).values(some);
  for (const some of inParts(changed, BALANCES_AT_ONCE)) {
    const balances = Object.fromEntries(some.map(({ id, closing }) => [id, String(closing)]));
    await tx
      .insert(closingBalances)
      .select(sql`select key, value from ${membersOf(balances)} where true`)
      .onConflictDoUpdate({ target: closingBalances.accountId, set: { balance: sql`excluded.balance` } });
  }
  return hash;
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

/** Reads a closing as it is stored, and whether it still has its hash. It is undefined when there is none. */
async function paperNumbered(reader: Reader, number: number) {
  const [row] = await reader.select().from(dayClosings).where(eq(dayClosings.number, number));
  if (row === undefined) return undefined;
  const { at, hash } = dayClosings;
  const [before] = await reader
    .select({ at, hash })
    .from(dayClosings)
    .where(eq(dayClosings.number, number - 1));
  const isWhole = (number === 1 || before !== undefined) && row.hash === hashOf(before?.hash ?? ROOT, row);
  return { row, before, isWhole, stored: fromStored(row.figures) as StoredFigures };
}

/** Reads a piece of the accounts of a closing. A piece that is not there any more has none, and is not whole. */
async function pieceOf(reader: Reader, { row, stored, isWhole }: Paper, piece: number): Promise<ClosingAccounts> {
  const [found] = await reader
    .select({ text: closingAccounts.accounts })
    .from(closingAccounts)
    .where(and(eq(closingAccounts.closing, row.number), eq(closingAccounts.piece, piece)));
  return {
    accounts: found === undefined ? [] : (fromStored(found.text) as ClosingAccounts['accounts']),
    more: piece + 1 < stored.pieces.length,
    isWhole: isWhole && found !== undefined && sha256(found.text) === stored.pieces[piece],
  };
}
type Paper = NonNullable<Awaited<ReturnType<typeof paperNumbered>>>;

/** One closing, in its first form, with the first accounts. It is undefined when there is none with this number. */
export async function closingNumbered(reader: Reader, number: number): Promise<Closing | undefined> {
  const paper = await paperNumbered(reader, number);
  if (paper === undefined) return undefined;
  const { row, before, stored } = paper;
  const { pieces, ...figures } = stored;
  const nothing: ClosingAccounts = { accounts: [], more: false, isWhole: paper.isWhole };
  const { accounts, more, isWhole } = pieces.length === 0 ? nothing : await pieceOf(reader, paper, 0);
  return {
    ...headOf(row),
    since: before === undefined ? null : new Date(before.at),
    before: before?.hash ?? null,
    ...{ figures: { ...figures, accounts }, more, isWhole },
  };
}

/** One piece of the accounts of a closing. It is undefined when there is no such closing, or no such piece of it. */
export async function accountsOfClosing(reader: Reader, number: number, piece: number): Promise<ClosingAccounts | undefined> {
  const paper = await paperNumbered(reader, number);
  return paper === undefined || piece >= paper.stored.pieces.length ? undefined : await pieceOf(reader, paper, piece);
}
