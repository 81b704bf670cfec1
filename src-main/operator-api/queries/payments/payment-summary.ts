import { and, type SQL, sql } from 'drizzle-orm';
import { assetKey } from '../../../../src-shared/amounts.ts';
import type { PaymentFilter, PaymentSummary } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { incomingPayments, outgoingPayments } from '../../../payments/tables.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { exactSum } from '../../../platform/database/exact-sum.ts';
import { newerThan, type Place } from '../../../platform/database/places.ts';
import type { OperatorContext } from '../../context.ts';
import { conditionsOf, type PaymentConditions } from './payment-conditions.ts';
import { spansOf, withinSpan } from './payment-spans.ts';

interface SummaryRequest extends PaymentFilter {
  /** Payments newer than this are counted separately. */
  until?: Place | undefined;
}

interface AccountSum {
  accountId: string;
  count: bigint;
  moved: bigint;
}

/**
 * Counts and sums what matches a filter. The database does it one span of time after the other, so that a long list
 * delays nothing else. A payment that arrives meanwhile may be included or not; each one counts once.
 */
export async function summarisePayments(context: OperatorContext, request: SummaryRequest, signal?: AbortSignal): Promise<PaymentSummary> {
  const { read } = context.database;
  const accounts = new Map((await context.walletAddresses.list()).map((account) => [account.id, account]));
  const conditions = conditionsOf(request, [...accounts.values()], context.clock.now());
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
        const account = accounts.get(sum.accountId);
        if (account === undefined) throw new Error('a payment without its wallet address');
        const { assetCode, assetScale } = account;
        const total = totals.get(assetKey(account)) ?? { assetCode, assetScale, count: 0, received: 0n, sent: 0n };
        total.count += Number(sum.count);
        total[way] += sum.moved;
        totals.set(assetKey(account), total);
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

const sumsIn = (reader: Reader, condition: SQL | undefined): Promise<AccountSum[]> =>
  reader
    .select({ accountId: incomingPayments.walletAddressId, count: sql<bigint>`count(*)`, moved: exactSum(incomingPayments.received) })
    .from(incomingPayments)
    .where(condition)
    .groupBy(incomingPayments.walletAddressId);

const sumsOut = (reader: Reader, condition: SQL | undefined): Promise<AccountSum[]> =>
  reader
    .select({ accountId: outgoingPayments.walletAddressId, count: sql<bigint>`count(*)`, moved: exactSum(outgoingPayments.sent) })
    .from(outgoingPayments)
    .where(condition)
    .groupBy(outgoingPayments.walletAddressId);

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
