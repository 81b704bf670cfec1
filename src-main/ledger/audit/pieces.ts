import { createHash } from 'node:crypto';
import { and, asc, eq, gt, lte, max, type SQL, sql } from 'drizzle-orm';
import { type Database, prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { isOneOf, membersOf } from '../../platform/database/dialect.ts';
import { exactSum } from '../../platform/database/exact-sum.ts';
import { isGrowing, isUnnumbered, ledgerClosings, ledgerPieces, ledgerTransfers } from '../tables.ts';
import { type Finding, ownerNamedIn } from './damages.ts';

/** How many final transfers make a piece. Reading and hashing one takes about a millisecond. */
export const PIECE = 256;

/** The audit's record of a closed piece. Nobody may change the transfers of the piece from then on. */
export type Piece = typeof ledgerPieces.$inferSelect;

/**
 * The amounts that transfers bring to each ledger account, in its smallest units. They are below zero when transfers
 * take more.
 */
export type Sums = Map<string, bigint>;

type TransferRow = typeof ledgerTransfers.$inferSelect;

/** Adds an amount to the sum of one account. */
export const addTo = (sums: Sums, account: string, amount: bigint): void => void sums.set(account, (sums.get(account) ?? 0n) + amount);

/** Adds the amounts that posted transfers move. */
function addMoved(sums: Sums, rows: Iterable<Pick<TransferRow, 'state' | 'debitAccountId' | 'creditAccountId' | 'amount'>>): void {
  for (const { state, debitAccountId, creditAccountId, amount } of rows) {
    if (state !== 'posted') continue;
    addTo(sums, debitAccountId, -amount);
    addTo(sums, creditAccountId, amount);
  }
}

const $ = sql.placeholder;
const between = prepared((reader: Reader) =>
  reader
    .select()
    .from(ledgerTransfers)
    .where(and(gt(ledgerTransfers.number, $('after')), lte(ledgerTransfers.number, $('last'))))
    .orderBy(asc(ledgerTransfers.number))
    .prepare(),
);
const lastClosed = prepared((reader: Reader) =>
  reader
    .select({ number: max(ledgerPieces.number) })
    .from(ledgerPieces)
    .prepare(),
);
const lastFinal = prepared((reader: Reader) =>
  reader
    .select({ number: max(ledgerTransfers.number) })
    .from(ledgerTransfers)
    .prepare(),
);

const giveNumber = prepared((tx: Tx) =>
  tx
    .update(ledgerTransfers)
    .set({ number: sql`${$('number')}` })
    .where(eq(ledgerTransfers.id, $('id')))
    .prepare(),
);

/** The number of the last closed piece; 0 when there is none. */
export async function lastPiece(reader: Reader): Promise<number> {
  const [row] = await lastClosed(reader).execute();
  return Number(row?.number ?? 0);
}

/** The number of closed pieces that are due: how often {@link PIECE} final transfers came after the last closed one. */
export async function duePieces(reader: Reader): Promise<number> {
  const [row] = await lastFinal(reader).execute();
  return Math.floor((Number(row?.number ?? 0) - (await lastPiece(reader)) * PIECE) / PIECE);
}

/** Reads the transfers of a piece as they are now. @returns it, and whether all its transfers are there. */
export async function readPiece(reader: Reader, number: number): Promise<{ piece: Piece; isWhole: boolean }> {
  const rows = await between(reader).execute({ after: BigInt((number - 1) * PIECE), last: BigInt(number * PIECE) });
  const hash = createHash('sha256');
  for (const row of rows) {
    const { id, kind, state, debitAccountId, creditAccountId, amount, paymentId, note, createdAt } = row;
    hash.update(
      `${JSON.stringify([String(row.number), id, kind, state, debitAccountId, creditAccountId, String(amount), paymentId, note, createdAt])}\n`,
    );
  }
  const sums: Sums = new Map();
  addMoved(sums, rows);
  return { piece: { number, hash: hash.digest('base64url'), sums: toText(sums) }, isWhole: rows.length === PIECE };
}

const toText = (sums: Sums): Piece['sums'] => Object.fromEntries([...sums].map(([account, sum]) => [account, sum.toString()]));

/**
 * Closes a piece, within a write job. A repetition changes nothing, and neither does a piece out of its order.
 * @returns whether the piece was closed.
 */
export async function closePiece(tx: Tx, piece: Piece): Promise<boolean> {
  if ((await lastPiece(tx)) !== piece.number - 1) return false;
  await tx.insert(ledgerPieces).values(piece);
  const accounts = Object.keys(piece.sums);
  const before = await tx.select().from(ledgerClosings).where(isOneOf(ledgerClosings.accountId, accounts));
  const sums: Sums = new Map(before.map(({ accountId, sum }) => [accountId, BigInt(sum)]));
  for (const account of accounts) addTo(sums, account, BigInt(piece.sums[account] ?? 0));
  // A piece moves money of hundreds of accounts. A statement for each would keep the main thread for 30 ms.
  await tx
    .insert(ledgerClosings)
    .select(sql`select key, value from ${membersOf(toText(sums))} where true`)
    .onConflictDoUpdate({ target: ledgerClosings.accountId, set: { sum: sql`excluded.sum` } });
  return true;
}

/**
 * Compares a closed piece with its transfers as they are now. The accounts whose sum differs are damaged. When no sum
 * differs, each account of the piece may be.
 * @returns the findings, and what the piece had moved when it was closed.
 */
export async function checkPiece(reader: Reader, number: number): Promise<{ findings: Finding[]; sums: Piece['sums'] }> {
  const place = `piece ${number}`;
  const [closed] = await reader.select().from(ledgerPieces).where(eq(ledgerPieces.number, number));
  if (closed === undefined) return { findings: [{ owner: '', finding: 'transfer_missing', place }], sums: {} };
  const { piece, isWhole } = await readPiece(reader, number);
  const { sums } = closed;
  if (closed.hash === piece.hash && isWhole) return { findings: [], sums };
  const accounts = [...new Set([...Object.keys(sums), ...Object.keys(piece.sums)])];
  const differing = accounts.filter((account) => sums[account] !== piece.sums[account]);
  const owners = new Set((differing.length > 0 ? differing : accounts).map(ownerNamedIn));
  const finding = isWhole ? 'transfer_changed' : 'transfer_missing';
  return { findings: [...owners].map((owner) => ({ owner, finding, place })), sums };
}

/**
 * The amounts that the transfers after the last closed piece have moved, and those that pending ones hold. The database
 * adds them up, because after an upgrade the transfers of years may wait to be closed.
 */
export async function openSums(reader: Reader): Promise<{ moved: Sums; held: Sums }> {
  const { number, state, debitAccountId, creditAccountId, amount } = ledgerTransfers;
  const [moved, held]: [Sums, Sums] = [new Map(), new Map()];
  const add = async (sums: Sums, sign: bigint, account: typeof debitAccountId | typeof creditAccountId, which: SQL | undefined) => {
    const rows = await reader
      .select({ account, sum: exactSum(amount) })
      .from(ledgerTransfers)
      .where(which)
      .groupBy(account);
    for (const row of rows) addTo(sums, row.account, sign * row.sum);
  };
  const after = BigInt((await lastPiece(reader)) * PIECE);
  // Transfers that grow have no number yet. Books of an earlier version have final ones without numbers for as long as
  // the upgrade takes.
  for (const open of [gt(number, after), isUnnumbered]) {
    const posted = and(open, eq(state, 'posted'));
    await add(moved, -1n, debitAccountId, posted);
    await add(moved, 1n, creditAccountId, posted);
  }
  await add(held, 1n, debitAccountId, and(isUnnumbered, eq(state, 'pending')));
  return { moved, held };
}

/** The number of transfers that get their number in one write. */
const AT_ONCE = 1_000;

/**
 * Gives the final transfers that have none their numbers: those that grew when the node ended, and all of books from an
 * earlier version, in the order of time. A crash leaves the rest to the next start.
 */
export async function numberEarlierTransfers(database: Database): Promise<void> {
  const t = ledgerTransfers;
  // An index leads to posted ones in their order. Void ones move nothing, so that theirs does not matter.
  const posted = () => database.read.select({ id: t.id }).from(t).where(isGrowing).orderBy(asc(t.createdAt), asc(t.id)).limit(AT_ONCE);
  const voided = () =>
    database.read
      .select({ id: t.id })
      .from(t)
      .where(and(isUnnumbered, eq(t.state, 'voided')))
      .limit(AT_ONCE);
  for (const some of [posted, voided]) {
    for (let due = await some(); due.length > 0; due = await some()) await number(database, due);
  }
}

async function number(database: Database, due: readonly { id: string }[]): Promise<void> {
  await database.write(async (tx) => {
    const [last] = await lastFinal(tx).execute();
    let number = BigInt(last?.number ?? 0n);
    for (const { id } of due) {
      number += 1n;
      await giveNumber(tx).execute({ id, number });
    }
  });
}
