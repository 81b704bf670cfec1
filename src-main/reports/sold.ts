import { inArray } from 'drizzle-orm';
import { linesUpTo } from '../../src-shared/bills/bill-split.ts';
import type { SoldLine } from '../../src-shared/bills/sold-line.ts';
import type { ReportPlace, ReportProduct, ReportReference } from '../../src-shared/operator-contract/shop/reports.ts';
import { type Billed, sharesIn } from '../closings/taxes.ts';
import type { BookState } from '../ledger/account-book.ts';
import { billSums, soldLines } from '../payments/bills/bills.ts';
import { keptRequests } from '../payments/incoming/kept-requests.ts';
import { receivedBefore } from '../payments/refunds/sale-before.ts';
import { said } from '../payments/search-text.ts';
import { sellersOf } from '../payments/sellers.ts';
import { incomingPayments } from '../payments/tables.ts';
import type { Reader } from '../platform/database/database.ts';

/** The number of rows of each list that a report names. The rest makes one row more. */
const MOST_ROWS = 50;

/** What came of a bill in the period, and what had come before. */
type Paid = Omit<Billed, 'asset'>;

/** The sums of some payments, in smallest units. */
interface Sums {
  value: bigint;
  count: number;
  /** The quantity, in thousandths of a piece. */
  quantity: bigint;
}

/**
 * Adds up what was sold by product, by the place where it was asked for, and by reference. Each of the three adds up to
 * what came, to the unit.
 */
export class Sold {
  readonly #products = new Map<string, Sums>();
  readonly #tips = noSums();
  readonly #plain = noSums();
  readonly #places = new Map<string, Sums>();
  readonly #references = new Map<string, Sums>();
  readonly #noReference = noSums();

  /**
   * Adds some payments.
   * @param period the beginning of the period: the report leaves out what a bill that is paid in parts had brought
   * before
   * @param sales the ids of incoming payments, each once, with what they brought in the period
   */
  async add(reader: Reader, period: { book: BookState; since: number }, sales: readonly (readonly [string, bigint])[]): Promise<void> {
    const ids = sales.map(([id]) => id);
    const [sellers, kept, bills] = [await sellersOf(reader, ids), await keptRequests(reader, ids), await billSums(reader, ids)];
    const [lines, references] = [await soldLines(reader, ids), await statedReferences(reader, ids)];
    for (const [id, amount] of sales) {
      const { madeBy, app, till = null, person = null } = sellers.get(id) ?? { madeBy: 'desk', app: null };
      const source: ReportPlace['source'] = { madeBy, app, till, person };
      add(sumsAt(this.#places, JSON.stringify(source)), amount);
      const reference = kept.get(id)?.reference ?? references.get(id) ?? '';
      add(reference === '' ? this.#noReference : sumsAt(this.#references, reference), amount);
      const bill = bills.get(id);
      if (bill === undefined || bill.total === 0n) add(this.#plain, amount);
      else {
        const before = amount >= bill.total ? 0n : await receivedBefore(reader, period.book, id, { createdAt: period.since, id: '' });
        this.#addBill({ bill, before, amount }, lines.get(id) ?? []);
      }
    }
  }

  /** A bill that is paid in several parts brings a share of each of its lines with each. */
  #addBill(paid: Paid, lines: readonly SoldLine[]): void {
    let left = paid.amount;
    const counted = new Set<Sums>();
    const bring = (sums: Sums, value: bigint) => {
      left -= value;
      sums.value += value;
      // A payment counts once for a product, however many of its lines have it.
      if (!counted.has(sums)) sums.count += 1;
      counted.add(sums);
    };
    const values = lines.map(({ value }) => value);
    const before = linesUpTo(paid.bill, values, paid.before);
    const upTo = linesUpTo(paid.bill, values, paid.before + paid.amount);
    for (const [nth, { text, quantity }] of lines.entries()) {
      const sums = sumsAt(this.#products, text);
      bring(sums, (upTo[nth] ?? 0n) - (before[nth] ?? 0n));
      sums.quantity += quantityOf(BigInt(quantity), paid);
    }
    if (paid.bill.tip > 0n) bring(this.#tips, sharesIn(paid).tip);
    if (left !== 0n) add(this.#plain, left);
  }

  lists(): { products: ReportProduct[]; places: ReportPlace[]; references: ReportReference[] } {
    const one = ({ value, count }: Sums) => ({ value, count });
    const product = (kind: ReportProduct['kind'], text: string, sums: Sums): ReportProduct => ({
      ...{ kind, text, ...one(sums) },
      quantity: kind === 'product' ? Number(sums.quantity) : 0,
    });
    const [products, places, references] = [listed(this.#products), listed(this.#places), listed(this.#references)];
    return {
      products: [
        ...products.named.map(([text, sums]) => product('product', text, sums)),
        ...some(products.others).map((sums) => product('others', '', sums)),
        ...some(this.#tips).map((sums) => product('tip', '', sums)),
        ...some(this.#plain).map((sums) => product('plain', '', sums)),
      ],
      places: [
        ...places.named.map(([source, sums]) => ({ source: JSON.parse(source) as ReportPlace['source'], ...one(sums) })),
        ...some(places.others).map((sums) => ({ source: null, ...one(sums) })),
      ],
      references: [
        ...references.named.map(([reference, sums]) => ({ kind: 'reference' as const, reference, ...one(sums) })),
        ...some(references.others).map((sums) => ({ kind: 'others' as const, reference: '', ...one(sums) })),
        ...some(this.#noReference).map((sums) => ({ kind: 'none' as const, reference: '', ...one(sums) })),
      ],
    };
  }
}

const noSums = (): Sums => ({ value: 0n, count: 0, quantity: 0n });
const some = (sums: Sums): Sums[] => (sums.count === 0 ? [] : [sums]);

function sumsAt(all: Map<string, Sums>, name: string): Sums {
  const sums = all.get(name) ?? noSums();
  all.set(name, sums);
  return sums;
}

function add(sums: Sums, value: bigint): void {
  sums.value += value;
  sums.count += 1;
}

/** The rows that brought most, and the sum of the others. Rows that brought as much are in the order of their names. */
function listed(all: ReadonlyMap<string, Sums>): { named: [string, Sums][]; others: Sums } {
  const sorted = [...all].sort(([one, a], [other, b]) => (a.value === b.value ? (one < other ? -1 : 1) : a.value > b.value ? -1 : 1));
  const others = noSums();
  for (const [, { value, count }] of sorted.slice(MOST_ROWS)) {
    others.value += value;
    others.count += count;
  }
  return { named: sorted.slice(0, MOST_ROWS), others };
}

/**
 * The part of a quantity that was paid for in a period. What was paid for up to a moment is rounded down, and a period
 * has the difference of two such sums. So the periods add up to the quantity once all is paid.
 */
const quantityOf = (quantity: bigint, { bill: { total }, before, amount }: Paid): bigint =>
  shareUpTo(quantity, total, before + amount) - shareUpTo(quantity, total, before);

const shareUpTo = (part: bigint, total: bigint, received: bigint): bigint => (part * (received < total ? received : total)) / total;

/** The references that these incoming payments state themselves. */
async function statedReferences(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { id, metadata } = incomingPayments;
  const rows = await reader
    .select({ id, metadata })
    .from(incomingPayments)
    .where(inArray(id, [...ids]));
  return new Map(
    rows.flatMap((row) => {
      const { reference } = said(row.metadata);
      return reference === null ? [] : [[row.id, reference] as const];
    }),
  );
}
