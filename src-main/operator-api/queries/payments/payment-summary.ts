import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Asset, assetKey } from '../../../../src-shared/amounts.ts';
import type { PaymentFilter, PaymentSummary } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { incomingPayments, outgoingPayments } from '../../../payments/tables.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { exactSum } from '../../../platform/database/exact-sum.ts';
import { newerThan, type Place } from '../../../platform/database/places.ts';
import { walletAddresses } from '../../../wallet-addresses/tables.ts';
import type { OperatorContext } from '../../context.ts';
import { conditionsOf, knownFor, type PaymentConditions } from './payment-conditions.ts';
import { spansOf, withinSpan } from './payment-spans.ts';

interface SummaryRequest extends PaymentFilter {
  /** Payments newer than this are counted separately. */
  until?: Place | undefined;
}

interface AssetSum extends Asset {
  count: bigint;
  moved: bigint;
}

/**
 * Counts and sums what matches a filter. The database does it beside the main thread, one span of time after the
 * other, so that a long list delays no other question. A payment that arrives meanwhile may be included or not; each
 * one counts once.
 */
export async function summarisePayments(context: OperatorContext, request: SummaryRequest, signal?: AbortSignal): Promise<PaymentSummary> {
  const read = context.database.readAside;
  const conditions = conditionsOf(request, await knownFor(context, request), context.clock.now());
  const totals = new Map<string, PaymentSummary['totals'][number]>();
  let count = 0;
  for await (const span of spansOf(read, { ...request, whole: false })) {
    signal?.throwIfAborted();
    const { incoming, outgoing } = withinSpan(conditions, span, request);
    const received = incoming === 'nothing' ? [] : await sumsIn(read, incoming);
    const sent = outgoing === 'nothing' ? [] : await sumsOut(read, outgoing);
    for (const [sums, way] of [
      [received, 'received'],
      [sent, 'sent'],
    ] as const) {
      for (const sum of sums) {
        const { assetCode, assetScale } = sum;
        const total = totals.get(assetKey(sum)) ?? { assetCode, assetScale, count: 0, received: 0n, sent: 0n };
        total.count += Number(sum.count);
        total[way] += sum.moved;
        totals.set(assetKey(sum), total);
        count += Number(sum.count);
      }
    }
  }
  return {
    count,
    newer: await countNewer(read, conditions, request.until),
    totals: [...totals.values()].sort((a, b) => b.count - a.count),
  };
}

const { id, assetCode, assetScale } = walletAddresses;

const sumsIn = (reader: Reader, condition: SQL | undefined): Promise<AssetSum[]> =>
  reader
    .select({ assetCode, assetScale, count: sql<bigint>`count(*)`, moved: exactSum(incomingPayments.received) })
    .from(incomingPayments)
    .innerJoin(walletAddresses, eq(id, incomingPayments.walletAddressId))
    .where(condition)
    .groupBy(assetCode, assetScale);

const sumsOut = (reader: Reader, condition: SQL | undefined): Promise<AssetSum[]> =>
  reader
    .select({ assetCode, assetScale, count: sql<bigint>`count(*)`, moved: exactSum(outgoingPayments.sent) })
    .from(outgoingPayments)
    .innerJoin(walletAddresses, eq(id, outgoingPayments.walletAddressId))
    .where(condition)
    .groupBy(assetCode, assetScale);

async function countNewer(reader: Reader, { incoming, outgoing }: PaymentConditions, until: Place | undefined): Promise<number> {
  if (until === undefined) return 0;
  const newer = async (table: typeof incomingPayments | typeof outgoingPayments, condition: SQL | undefined | 'nothing') => {
    if (condition === 'nothing') return 0;
    const [row] = await reader
      .select({ rows: sql<bigint>`count(*)` })
      .from(table)
      .where(and(newerThan(table, until), condition));
    return Number(row?.rows ?? 0);
  };
  return (await newer(incomingPayments, incoming)) + (await newer(outgoingPayments, outgoing));
}
