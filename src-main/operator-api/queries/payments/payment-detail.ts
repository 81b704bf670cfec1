import type { PaymentDetail } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { findIncomingPayment, type IncomingPayment } from '../../../payments/incoming/incoming-payments.ts';
import { keptRequest } from '../../../payments/incoming/kept-requests.ts';
import { findOutgoingPayment, isFinal, type OutgoingPayment, receiveAsset } from '../../../payments/outgoing/outgoing-payment-rows.ts';
import { refundedBy } from '../../../payments/refunds/refund-rows.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';
import type { OperatorContext } from '../../context.ts';
import { openPacketsOf } from './open-packets.ts';
import { assetOf, incomingRow, outgoingRow } from './payment-rows.ts';
import { packetsIn, timelineOf } from './payment-timeline.ts';
import { refundFactsOf } from './refund-facts.ts';

/** One payment with everything that the console shows about it. */
export async function paymentDetail(context: OperatorContext, id: string): Promise<PaymentDetail | undefined> {
  const { read } = context.database;
  const incoming = await findIncomingPayment(read, id);
  const payment = incoming ?? (await findOutgoingPayment(read, id));
  if (payment === undefined) return undefined;
  const account = await context.walletAddresses.byId(payment.walletAddressId);
  if (account === undefined) throw new Error('a payment without its wallet address');
  const walletAddress = context.walletAddresses.urlOf(account);
  const timeline = await timelineOf(context.database, id, incoming === undefined ? 'out' : 'in');
  const archived = timeline[0]?.type.endsWith('.created') !== true;
  const story = { walletAddress, timeline, archived };
  return 'completed' in payment
    ? { ...(await incomingDetail(context, payment, account)), ...story, packets: archived ? null : packetsIn(timeline) }
    : { ...(await outgoingDetail(context, payment, account)), ...story };
}

async function incomingDetail(context: OperatorContext, payment: IncomingPayment, account: WalletAddress) {
  const { id } = payment;
  const { refunded, ...facts } = await refundFactsOf(context, { id, received: payment.received, asset: assetOf(account) });
  return {
    ...incomingRow(payment, account, context.clock.now(), { kept: await keptRequest(context.database.read, id), refunded }),
    ...facts,
    url: context.urls.incomingPayment(payment.id),
    expiresAt: payment.expiresAt === null ? null : new Date(payment.expiresAt),
    metadata: payment.metadata,
    receiver: null,
    receiveAmount: null,
    delivered: null,
    grantId: null,
    failure: null,
    held: null,
    openPackets: [],
  };
}

async function outgoingDetail(context: OperatorContext, payment: OutgoingPayment, account: WalletAddress) {
  const asset = receiveAsset(payment);
  const refunded = await refundedBy(context.database.read, [payment.id]);
  return {
    ...outgoingRow(payment, account, refunded.get(payment.id) ?? null),
    ...{ payers: [], morePayers: false, refunds: [], moreRefunds: false },
    url: context.urls.outgoingPayment(payment.id),
    expiresAt: new Date(payment.deadline),
    metadata: payment.metadata,
    receiver: payment.receiver,
    receiveAmount: { value: payment.receiveAmount, ...asset },
    delivered: { value: payment.delivered, ...asset },
    grantId: payment.grantId,
    // While the payment is `settling`, its reason is stored, but it may still succeed.
    failure: payment.failure === null || !isFinal(payment) ? null : { code: payment.failure },
    held: { value: payment.held, assetCode: account.assetCode, assetScale: account.assetScale },
    openPackets: payment.held === 0n ? [] : await openPacketsOf(context.database.read, payment, account),
    packets: payment.packets,
  };
}
