import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm';
import { type Bill, type BillAmounts, type BillLine, countBill, type LineAmounts, ratesOf } from '../../../src-shared/bills/bill.ts';
import type { SoldLine } from '../../../src-shared/bills/sold-line.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { isOneOf } from '../../platform/database/dialect.ts';
import { placeholdersOf } from '../../platform/database/placeholders.ts';
import { billLines, bills } from './tables.ts';

/** A bill as it was charged: what was sold, and what it came to then. */
export interface KeptBill extends Omit<Bill, 'lines'>, Omit<BillAmounts, 'lines'> {
  readonly lines: readonly (BillLine & LineAmounts)[];
}

const insert = prepared((tx: Tx) => tx.insert(bills).values(placeholdersOf(bills)).prepare());
const insertLine = prepared((tx: Tx) => tx.insert(billLines).values(placeholdersOf(billLines)).prepare());

/**
 * Stores a bill, in the write that makes the incoming payment.
 * @param charged the amount of the incoming payment, in smallest units.
 * @throws Error when the bill does not come to that amount, which the caller has counted.
 */
export async function keepBill(tx: Tx, id: string, bill: Bill, charged: bigint | null): Promise<void> {
  const counted = countBill(bill);
  if (counted === undefined || counted.total !== charged) throw new Error('a bill that does not come to what is charged');
  const { pricesIncludeTax, rounding } = bill;
  const { net, taxAmount, tip } = counted;
  await insert(tx).execute({ id, pricesIncludeTax, rounding, net, taxAmount, tip });
  for (const [place, { tax, text, quantity, unitPrice }] of bill.lines.entries()) {
    const amounts = counted.lines[place];
    const row = { billId: id, place, text, quantity, unitPrice, taxName: tax?.name ?? null, taxRate: tax?.rate ?? null };
    await insertLine(tx).execute({ ...row, ...amounts });
  }
}

/** The bill of an incoming payment. It is undefined for one that charges a plain amount. */
export async function billOf(reader: Reader, id: string): Promise<KeptBill | undefined> {
  const [found] = await reader.select().from(bills).where(eq(bills.id, id));
  if (found === undefined) return undefined;
  const rows = await reader.select().from(billLines).where(eq(billLines.billId, id)).orderBy(asc(billLines.place));
  const lines = rows.map(({ billId, place, ...line }) => taxedLine(line));
  const { pricesIncludeTax, rounding, net, taxAmount, tip } = found;
  return { pricesIncludeTax, rounding, lines, rates: ratesOf(lines), net, taxAmount, tip, total: net + taxAmount + tip };
}

/** What a bill comes to, without its lines. */
export type BillSums = Pick<BillAmounts, 'rates' | 'tip' | 'total'>;

/** What the bills of these incoming payments come to. Plain amounts have no entry. */
export async function billSums(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, BillSums>> {
  if (ids.length === 0) return new Map();
  const found = await reader
    .select({ id: bills.id, net: bills.net, taxAmount: bills.taxAmount, tip: bills.tip })
    .from(bills)
    .where(isOneOf(bills.id, ids));
  if (found.length === 0) return new Map();
  const { billId, taxName, taxRate, net, taxAmount } = billLines;
  const taxed = await reader
    .select({ billId, taxName, taxRate, net, taxAmount })
    .from(billLines)
    .where(and(isOneOf(billId, ids), isNotNull(taxRate)));
  const lines = Map.groupBy(taxed, (line) => line.billId);
  return new Map(
    found.map((bill) => {
      const rates = ratesOf((lines.get(bill.id) ?? []).map(taxedLine));
      return [bill.id, { rates, tip: bill.tip, total: bill.net + bill.taxAmount + bill.tip }];
    }),
  );
}

/** What was sold on these incoming payments, in the order of each bill. Plain amounts have no entry. */
export async function soldLines(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, SoldLine[]>> {
  if (ids.length === 0) return new Map();
  const { billId, text, quantity, net, taxAmount, place } = billLines;
  const rows = await reader
    .select({ billId, text, quantity, net, taxAmount })
    .from(billLines)
    .where(inArray(billId, [...ids]))
    .orderBy(asc(billId), asc(place));
  const byBill = Map.groupBy(rows, (row) => row.billId);
  return new Map(
    [...byBill].map(([id, lines]) => [
      id,
      lines.map((line) => ({ text: line.text, quantity: line.quantity, value: line.net + line.taxAmount })),
    ]),
  );
}

const taxedLine = <T extends { taxName: string | null; taxRate: number | null }>({ taxName, taxRate, ...line }: T) => ({
  ...line,
  tax: taxName === null || taxRate === null ? null : { name: taxName, rate: taxRate },
});

/** The tax and the tip that these incoming payments charge, in smallest units. Plain amounts have no entry. */
export async function taxesAndTips(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, { tax: bigint; tip: bigint }>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .select({ id: bills.id, tax: bills.taxAmount, tip: bills.tip })
    .from(bills)
    .where(inArray(bills.id, [...ids]));
  return new Map(rows.map(({ id, ...amounts }) => [id, amounts]));
}
