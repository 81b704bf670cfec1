import { createHash } from 'node:crypto';
import type { ShopDays } from '../../src-shared/calendar.ts';
import type { Period } from '../../src-shared/statements/period.ts';
import { ShopTime } from '../../src-shared/statements/shop-time.ts';
import {
  mostLines,
  type StatementFormat,
  type StatementHead,
  type StatementLine,
  type StatementWriter,
  suits,
} from '../../src-shared/statements/statement.ts';
import { type BookLine, type BookState, bookLines, bookSums, changeBy, isCredit, lastInBook } from '../ledger/account-book.ts';
import type { Core } from '../platform/core.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { readShop } from '../shop/shop.ts';
import { bookOfDays } from '../wallet-addresses/book-of-days.ts';
import type { WalletAddress, WalletAddresses } from '../wallet-addresses/wallet-addresses.ts';
import { Facts } from './facts.ts';
import { worthIn } from './worth.ts';

interface Parts extends Pick<Core, 'database' | 'clock'> {
  walletAddresses: Pick<WalletAddresses, 'byId' | 'urlOf'>;
}

/**
 * Why there is no statement. `bad_period`: the days are none, or lie ahead. `books_differ`: the movements do not add up
 * to the balance.
 */
export type StatementRefusal = 'not_found' | 'bad_period' | 'books_differ';

/** Why a statement cannot be a file of a format. */
type FormatRefusal = 'unsuitable' | 'too_many_lines';

/** A statement that can be read: what it says first, and the book as it was then. */
export interface Statement {
  readonly head: StatementHead;
  readonly book: BookState;
  readonly account: WalletAddress;
  readonly days: ShopDays;
  /** The code of the shop's home currency, or null. */
  readonly homeCurrency: string | null;
}

/**
 * Draws up the statement of an account. It is as of one moment, however long the reading of its lines takes. Days that
 * have not begun are left out.
 */
export async function drawUp(
  { database, clock, walletAddresses }: Parts,
  { accountId, from, to }: Period & { accountId: string },
): Promise<Result<Statement, StatementRefusal>> {
  const found = await bookOfDays({ database, clock, walletAddresses }, { accountId, from, to });
  if (!found.ok) return found;
  const { account, book, days, last, start, end, isEnded } = found.value;
  const aside = database.readAside;
  const opening = changeBy(await bookSums(aside, book, { before: start }));
  const within = await bookSums(aside, book, { from: start, before: end });
  const closing = opening + changeBy(within);
  // The ledger itself says what the account has. A statement that does not lead there is none.
  if (closing + changeBy(await bookSums(aside, book, { from: end })) !== book.balance) return refuse('books_differ');
  const head: StatementHead = {
    id: createHash('sha256').update(`${accountId} ${from} ${last}`).digest('hex').slice(0, 32),
    ...{ accountId, publicName: account.publicName, walletAddress: walletAddresses.urlOf(account) },
    ...{ assetCode: account.assetCode, assetScale: account.assetScale, from, to: last, start, end, timeZone: days.timeZone },
    lastAt: (await lastInBook(aside, book, { from: start, before: end })) ?? start,
    isEnded,
    ...{ opening, closing, ...within },
  };
  const { homeCurrency } = (await readShop(database.read)).profile;
  return ok({ head, book, account, days, homeCurrency });
}

/** Whether a statement can be a file of a format. */
export function fits({ opening, closing, credits, debits, ...head }: StatementHead, format: StatementFormat): Result<void, FormatRefusal> {
  const largest = [opening, closing, credits.sum + debits.sum].map((sum) => (sum < 0n ? -sum : sum)).reduce((a, b) => (a > b ? a : b));
  if (!suits(format, head, largest)) return refuse('unsuitable');
  const most = mostLines(format);
  return most !== undefined && credits.count + debits.count > most ? refuse('too_many_lines') : ok(undefined);
}

/** This many lines take a few milliseconds, and fit into a message. */
const LINES_AT_ONCE = 500;

/** One piece of the file, in whole lines. */
interface StatementPart {
  text: string;
  /** How many lines have been written so far, and how many there are. */
  rows: number;
  of: number;
}

/** Writes the lines of a statement. @throws Error when they do not lead to its closing balance. */
export async function* written(
  { database: { readAside }, walletAddresses }: Parts,
  { head, book, account, days, homeCurrency }: Statement,
  writer: StatementWriter,
  signal?: AbortSignal,
): AsyncGenerator<StatementPart, void, void> {
  const facts = new Facts({ reader: readAside, walletAddresses, book, account });
  const time = new ShopTime(days);
  const worthOf = await worthIn(readAside, homeCurrency, head);
  const of = head.credits.count + head.debits.count;
  let balance = head.opening;
  let rows = 0;
  let text = writer.begin();
  for await (const lines of inParts(bookLines(readAside, book, { from: head.start, before: head.end }))) {
    signal?.throwIfAborted();
    const told = await facts.of(lines);
    for (const [place, one] of told.entries()) {
      const line = lines[place];
      if (line === undefined) continue;
      const change = isCredit(line, book) ? line.amount : -line.amount;
      balance += change;
      const at = line.createdAt;
      const shown: StatementLine = {
        ...one,
        id: line.id,
        at,
        local: time.localOf(at),
        day: time.dayOf(at),
        change,
        balance,
        worth: worthOf(change, at),
      };
      text += writer.line(shown);
    }
    rows += lines.length;
    if (rows >= of) break;
    yield { text, rows, of };
    text = '';
  }
  if (balance !== head.closing || rows !== of) throw new Error('a statement whose lines do not lead to its closing balance');
  yield { text: text + writer.end(), rows, of };
}

async function* inParts(lines: AsyncGenerator<BookLine, void, void>): AsyncGenerator<BookLine[], void, void> {
  let part: BookLine[] = [];
  for await (const line of lines) {
    part.push(line);
    if (part.length < LINES_AT_ONCE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
