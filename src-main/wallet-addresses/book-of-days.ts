import { type Day, dayAt, daysLater, type ShopDays, startOfDay } from '../../src-shared/calendar.ts';
import { isPeriod, type Period } from '../../src-shared/statements/period.ts';
import { type BookState, bookState } from '../ledger/account-book.ts';
import type { Core } from '../platform/core.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { readShop } from '../shop/shop.ts';
import type { WalletAddress, WalletAddresses } from './wallet-addresses.ts';

interface Parts extends Pick<Core, 'database' | 'clock'> {
  walletAddresses: Pick<WalletAddresses, 'byId'>;
}

/** An account's book, and the days of the shop that are looked at in it. Moments are in milliseconds since 1970. */
interface BookOfDays {
  readonly account: WalletAddress;
  readonly book: BookState;
  readonly days: ShopDays;
  /** The last day: the one that was asked for, or today. */
  readonly last: Day;
  /** The first moment of the first day, and the first one after the last day. */
  readonly start: number;
  readonly end: number;
  readonly isEnded: boolean;
  readonly now: number;
}

/**
 * Finds the book of an account and some days of the shop in it, both as of one moment. Past days, too, are those of the
 * time zone that is set now (decisions.md#D-306). Days that have not begun are left out.
 * @returns `bad_period` when the days are none, or lie ahead.
 */
export async function bookOfDays(
  { database, clock, walletAddresses }: Parts,
  { accountId, from, to }: Period & { accountId: string },
): Promise<Result<BookOfDays, 'not_found' | 'bad_period'>> {
  const now = clock.now();
  const account = await walletAddresses.byId(accountId);
  if (account === undefined) return refuse('not_found');
  const { days } = await readShop(database.read);
  const today = dayAt(now, days);
  if (!isPeriod(from, to) || from > today) return refuse('bad_period');
  const last = to < today ? to : today;
  const book = await bookState(database.read, accountId);
  if (book === undefined) throw new Error('a wallet address without its ledger account');
  const [start, end] = [startOfDay(from, days), startOfDay(daysLater(last, 1), days)];
  return ok({ account, book, days, last, start, end, isEnded: end <= now, now });
}
