import { eq, sql } from 'drizzle-orm';
import type { Asset } from '../../../src-shared/amounts.ts';
import { MOST_COUNTED } from '../../../src-shared/operator-contract/most-counted.ts';
import { prepared, type Reader } from '../../platform/database/database.ts';
import { countSome } from '../../platform/database/list-order.ts';
import { outgoingPayments } from '../tables.ts';

/** An outgoing payment as the database has it. */
export type OutgoingPayment = typeof outgoingPayments.$inferSelect;

/** Who works on a payment, and until when that keeps others away, in milliseconds since the Unix epoch. */
export interface Claim {
  readonly holder: string;
  readonly until: number;
}

const $ = sql.placeholder;
const byId = prepared((reader: Reader) =>
  reader
    .select()
    .from(outgoingPayments)
    .where(eq(outgoingPayments.id, $('id')))
    .prepare(),
);

// A page of grants asks this for each of its grants.
const someOfGrant = prepared((reader: Reader) =>
  countSome(reader, outgoingPayments, eq(outgoingPayments.grantId, $('grantId')), MOST_COUNTED).prepare(),
);

/** What a write touches that decides by how far an outgoing payment has come, or brings it on; see `Database.write`. */
export const touchedByOutgoing = (id: string): string => `outgoing:${id}`;

/** Reads one payment, through the reader or inside a write. */
export async function findOutgoingPayment(reader: Reader, id: string): Promise<OutgoingPayment | undefined> {
  const [row] = await byId(reader).execute({ id });
  return row;
}

/** How many payments were made with each of these grants, of very many only some (`MOST_COUNTED`). */
export async function countPaymentsByGrant(reader: Reader, grantIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counted = await Promise.all(grantIds.map((grantId) => someOfGrant(reader).execute({ grantId })));
  return new Map(grantIds.map((id, n) => [id, Number(counted[n]?.[0]?.rows ?? 0)]));
}

/** Whether the payment is in a state after which nothing about it changes any more. */
export const isFinal = (payment: Pick<OutgoingPayment, 'state'>): boolean => payment.state === 'completed' || payment.state === 'failed';

/** The receiver's asset. */
export const receiveAsset = (payment: Pick<OutgoingPayment, 'receiveAssetCode' | 'receiveAssetScale'>): Asset => ({
  assetCode: payment.receiveAssetCode,
  assetScale: payment.receiveAssetScale,
});
