import { inArray } from 'drizzle-orm';
import type { Bill } from '../../../src-shared/bills/bill.ts';
import type { MadeAt } from '../../../src-shared/operator-contract/payments/made-at.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { placeholdersOf } from '../../platform/database/placeholders.ts';
import { countSale } from '../../shop/products/products.ts';
import { keepBill } from '../bills/bills.ts';
import { type incomingPayments, paymentRequests } from '../tables.ts';

type IncomingPayment = typeof incomingPayments.$inferSelect;

/** What the operator keeps about a payment request of their own. */
export type KeptRequest = typeof paymentRequests.$inferSelect;

/** What the operator notes for their own books. Nobody else ever sees it. */
export interface PrivateNotes {
  note: string | null;
  reference: string | null;
}

/** What the operator keeps about a request that they make. */
export interface NewKeptRequest extends Partial<PrivateNotes> {
  madeAt: MadeAt;
  /** The paired till that makes it. */
  till?: { readonly id: string; readonly name: string } | undefined;
  /** The time by which the payer should pay, in milliseconds since the Unix epoch. */
  dueAt?: number | undefined;
  /** The URL to which the payer goes on after paying. */
  returnUrl?: string | undefined;
  /** What the amount consists of. It comes to the amount of the incoming payment. */
  bill?: Bill | undefined;
  /** The ids of the products among its lines. */
  productIds?: readonly string[] | undefined;
}

const insert = prepared((tx: Tx) => tx.insert(paymentRequests).values(placeholdersOf(paymentRequests)).prepare());

/** Stores what the operator keeps, in the write that makes the incoming payment. */
export async function keep(tx: Tx, { id, createdAt, incomingAmount }: IncomingPayment, kept: NewKeptRequest): Promise<void> {
  const { madeAt, note = null, reference = null, dueAt = null, returnUrl = null, bill, productIds = [], till } = kept;
  const by = { tillId: till?.id ?? null, tillName: till?.name ?? null };
  await insert(tx).execute({ id, madeAt, note, reference, cancelReason: null, dueAt, returnUrl, ...by, createdAt });
  if (bill !== undefined) await keepBill(tx, id, bill, incomingAmount);
  await countSale(tx, productIds);
}

/** Finds what the operator keeps about these incoming payments, by their ids. Others have no entry. */
export async function keptRequests(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, KeptRequest>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .select()
    .from(paymentRequests)
    .where(inArray(paymentRequests.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** What the operator keeps about one incoming payment. */
export const keptRequest = async (reader: Reader, id: string): Promise<KeptRequest | undefined> =>
  (await keptRequests(reader, [id])).get(id);

/**
 * Changes what is kept, or stores why a request ends in the write that ends it. A request of an older version gets its
 * row with what it had.
 */
export async function changeKept(
  tx: Tx,
  { id, note, createdAt }: IncomingPayment,
  set: Partial<PrivateNotes> & { cancelReason?: string },
): Promise<void> {
  const nothing = { reference: null, cancelReason: null, dueAt: null, returnUrl: null, tillId: null, tillName: null };
  const row = { id, madeAt: 'desk' as const, note, ...nothing, createdAt, ...set };
  await tx.insert(paymentRequests).values(row).onConflictDoUpdate({ target: paymentRequests.id, set });
}
