import type { Day, ShopDays } from '../../src-shared/calendar.ts';
import { ShopTime } from '../../src-shared/statements/shop-time.ts';
import { type BookLine, type BookState, isCredit } from '../ledger/account-book.ts';
import { paymentsBehind } from '../payments/sellers.ts';
import type { Reader } from '../platform/database/database.ts';

/** What moved on one day, in smallest units. */
interface DaySums {
  value: bigint;
  /** How many payments began to arrive on it. */
  count: number;
  refunded: bigint;
}

/** What payments brought to an account, and what was given back, by incoming payment and by day of the shop. */
export class Moved {
  /** What each incoming payment brought, by its id. */
  readonly sales = new Map<string, bigint>();
  /** The payments that give money back. */
  readonly refunds = new Set<string>();
  /** What they gave back of each incoming payment, by its id. */
  readonly givenBack = new Map<string, bigint>();
  readonly days = new Map<Day, DaySums>();
  readonly #book: BookState;
  readonly #time: ShopTime;

  constructor(book: BookState, days: ShopDays) {
    this.#book = book;
    this.#time = new ShopTime(days);
  }

  /** Adds some lines of the account's book, each once and the oldest first. */
  async add(reader: Reader, lines: readonly BookLine[]): Promise<void> {
    const behind = await paymentsBehind(reader, [...new Set(lines.flatMap(({ paymentId }) => paymentId ?? []))]);
    for (const line of lines) {
      const id = line.paymentId ?? '';
      const isIn = isCredit(line, this.#book);
      if (line.kind === 'payment' && isIn) this.#received(line, behind.receivers.get(id) ?? id);
      else {
        const sale = behind.refunds.get(id);
        if (sale !== undefined) this.#gaveBack(line, { amount: isIn ? -line.amount : line.amount, refund: id, sale });
      }
    }
  }

  #received(line: BookLine, sale: string): void {
    const day = this.#on(line);
    day.value += line.amount;
    if (!this.sales.has(sale)) day.count += 1;
    this.sales.set(sale, (this.sales.get(sale) ?? 0n) + line.amount);
  }

  /** What a refund sets aside counts as given back, and what comes back unspent counts against it. */
  #gaveBack(line: BookLine, { amount, refund, sale }: { amount: bigint; refund: string; sale: string }): void {
    this.#on(line).refunded += amount;
    this.givenBack.set(sale, (this.givenBack.get(sale) ?? 0n) + amount);
    this.refunds.add(refund);
  }

  #on({ createdAt }: BookLine): DaySums {
    const day = this.#time.dayOf(createdAt);
    const sums = this.days.get(day) ?? { value: 0n, count: 0, refunded: 0n };
    this.days.set(day, sums);
    return sums;
  }
}
