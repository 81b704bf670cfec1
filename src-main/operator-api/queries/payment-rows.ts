import type { Payment, PaymentStatus } from '../../../src-shared/operator-contract/payments.ts';
import { type IncomingPayment, statusOf } from '../../payments/incoming-payments.ts';
import type { OutgoingPayment } from '../../payments/outgoing-payment-rows.ts';
import type { JsonObject, OutgoingPaymentState } from '../../payments/tables.ts';
import type { WalletAddress } from '../../payments/wallet-addresses.ts';

const OUTGOING: Record<OutgoingPaymentState, PaymentStatus> = {
  funded: 'queued',
  sending: 'sending',
  retrying: 'retrying',
  settling: 'settling',
  unknown: 'unknown',
  completed: 'completed',
  failed: 'failed',
};

export const outgoingStatus = (payment: Pick<OutgoingPayment, 'state'>): PaymentStatus => OUTGOING[payment.state];

export function incomingStatus(payment: Pick<IncomingPayment, 'completed' | 'expiresAt' | 'received'>, now: number): PaymentStatus {
  const status = statusOf(payment, now);
  if (status !== 'open') return status;
  return payment.received > 0n ? 'receiving' : 'waiting';
}

export function incomingRow(payment: IncomingPayment, account: WalletAddress, now: number): Payment {
  const asset = assetOf(account);
  return {
    ...common(payment, account),
    direction: 'in',
    status: incomingStatus(payment, now),
    amount: payment.incomingAmount === null ? null : { value: payment.incomingAmount, ...asset },
    progress: { value: payment.received, ...asset },
  };
}

export function outgoingRow(payment: OutgoingPayment, account: WalletAddress): Payment {
  const asset = assetOf(account);
  return {
    ...common(payment, account),
    direction: 'out',
    status: outgoingStatus(payment),
    amount: { value: payment.debitAmount, ...asset },
    progress: { value: payment.sent, ...asset },
  };
}

function common(payment: IncomingPayment | OutgoingPayment, account: WalletAddress) {
  return {
    id: payment.id,
    accountId: account.id,
    accountName: account.publicName,
    ...said(payment.metadata),
    client: payment.client,
    createdAt: new Date(payment.createdAt),
    updatedAt: new Date(payment.updatedAt),
  };
}

/** What a client says of a payment, where it is text. */
export function said(metadata: JsonObject | null): { description: string | null; reference: string | null } {
  const { description, externalRef } = metadata ?? {};
  return {
    description: typeof description === 'string' ? description : null,
    reference: typeof externalRef === 'string' ? externalRef : null,
  };
}

const assetOf = ({ assetCode, assetScale }: WalletAddress) => ({ assetCode, assetScale });
