import { asc, count, eq } from 'drizzle-orm';
import type { PaymentDetail } from '../../../src-shared/operator-contract/payments.ts';
import { FAILURES, isFailure } from '../../payments/failures.ts';
import { findIncomingPayment, type IncomingPayment } from '../../payments/incoming-payments.ts';
import { findOutgoingPayment, type OutgoingPayment, receiveAsset } from '../../payments/outgoing-payments.ts';
import { packets } from '../../payments/tables.ts';
import type { WalletAddress } from '../../payments/wallet-addresses.ts';
import type { Reader } from '../../platform/database/database.ts';
import { events } from '../../platform/tables.ts';
import type { OperatorContext } from '../context.ts';
import { incomingRow, outgoingRow } from './payment-rows.ts';

/** One payment with everything the operator may ask about it. */
export async function paymentDetail(context: OperatorContext, id: string): Promise<PaymentDetail | undefined> {
  const { read } = context.database;
  const incoming = await findIncomingPayment(read, id);
  const payment = incoming ?? (await findOutgoingPayment(read, id));
  if (payment === undefined) return undefined;
  const account = await context.walletAddresses.byId(payment.walletAddressId);
  if (account === undefined) throw new Error('a payment without its wallet address');
  const walletAddress = context.walletAddresses.urlOf(account);
  const timeline = await timelineOf(read, id);
  return 'completed' in payment
    ? { ...(await incomingDetail(context, payment, account)), walletAddress, timeline }
    : { ...outgoingDetail(context, payment, account), walletAddress, timeline };
}

async function incomingDetail(context: OperatorContext, payment: IncomingPayment, account: WalletAddress) {
  const [carried] = await context.database.read.select({ packets: count() }).from(packets).where(eq(packets.incomingPaymentId, payment.id));
  return {
    ...incomingRow(payment, account, context.clock.now()),
    url: context.urls.incomingPayment(payment.id),
    expiresAt: payment.expiresAt === null ? null : new Date(payment.expiresAt),
    metadata: payment.metadata,
    receiver: null,
    receiveAmount: null,
    delivered: null,
    grantId: null,
    failure: null,
    packets: Number(carried?.packets ?? 0),
  };
}

function outgoingDetail(context: OperatorContext, payment: OutgoingPayment, account: WalletAddress) {
  const asset = receiveAsset(payment);
  return {
    ...outgoingRow(payment, account),
    url: context.urls.outgoingPayment(payment.id),
    expiresAt: new Date(payment.deadline),
    metadata: payment.metadata,
    receiver: payment.receiver,
    receiveAmount: { value: payment.receiveAmount, ...asset },
    delivered: { value: payment.delivered, ...asset },
    grantId: payment.grantId,
    failure: payment.failure === null ? null : { code: payment.failure, explanation: explain(payment.failure) },
    packets: payment.packets,
  };
}

const explain = (failure: string): string =>
  isFailure(failure) ? FAILURES[failure] : 'It failed for a reason this version of paydesk does not know.';

const TIMELINE_LENGTH = 500;

async function timelineOf(reader: Reader, id: string): Promise<PaymentDetail['timeline']> {
  const rows = await reader
    .select({ position: events.position, type: events.type, body: events.body, at: events.at })
    .from(events)
    .where(eq(events.subject, id))
    .orderBy(asc(events.position))
    .limit(TIMELINE_LENGTH);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
