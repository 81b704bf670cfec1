import { incomingStatus } from '../../../../src-shared/incoming-status.ts';
import type { Payment, PaymentStatus } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { type IncomingPayment, incomingFacts } from '../../../payments/incoming/incoming-payments.ts';
import type { KeptRequest } from '../../../payments/incoming/kept-requests.ts';
import type { OutgoingPayment } from '../../../payments/outgoing/outgoing-payment-rows.ts';
import { said } from '../../../payments/search-text.ts';
import type { OutgoingPaymentState } from '../../../payments/tables.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';

const OUTGOING: Record<OutgoingPaymentState, PaymentStatus> = {
  funded: 'queued',
  sending: 'sending',
  retrying: 'retrying',
  settling: 'settling',
  unknown: 'unknown',
  completed: 'completed',
  failed: 'failed',
};

const isState = (text: string): text is OutgoingPaymentState => Object.hasOwn(OUTGOING, text);

/** The state whose status is `status`. It is undefined for a status that only incoming payments have. */
export const outgoingStateOf = (status: PaymentStatus): OutgoingPaymentState | undefined =>
  Object.keys(OUTGOING)
    .filter(isState)
    .find((state) => OUTGOING[state] === status);

const outgoingStatus = (payment: Pick<OutgoingPayment, 'state'>): PaymentStatus => OUTGOING[payment.state];

interface Beside {
  /** What the operator keeps about a request of their own. */
  kept?: KeptRequest | undefined;
  /** What refunds have given back so far, in smallest units of the account. */
  refunded?: bigint | undefined;
}

/** @param beside what the node keeps beside the payment. */
export function incomingRow(payment: IncomingPayment, account: WalletAddress, now: number, { kept, refunded = 0n }: Beside): Payment {
  const asset = assetOf(account);
  return {
    ...common(payment, account),
    direction: 'in',
    status: incomingStatus(incomingFacts(payment), now),
    completed: payment.completed,
    // A version before kept notes beside the payment.
    note: kept === undefined ? payment.note : kept.note,
    ...(kept?.reference != null && { reference: kept.reference }),
    madeAt: kept?.madeAt ?? null,
    till: tillOf(kept),
    amount: payment.incomingAmount === null ? null : { value: payment.incomingAmount, ...asset },
    progress: { value: payment.received, ...asset },
    refunded: { value: refunded, ...asset },
    refundOf: null,
  };
}

/** @param refundOf the incoming payment that it refunds. */
export function outgoingRow(payment: OutgoingPayment, account: WalletAddress, refundOf: string | null): Payment {
  const asset = assetOf(account);
  return {
    ...common(payment, account),
    direction: 'out',
    status: outgoingStatus(payment),
    completed: payment.state === 'completed',
    note: null,
    madeAt: null,
    till: null,
    amount: { value: payment.debitAmount, ...asset },
    progress: { value: payment.sent, ...asset },
    refunded: { value: 0n, ...asset },
    refundOf,
  };
}

const tillOf = (kept: KeptRequest | undefined): Payment['till'] =>
  kept?.tillId == null ? null : { id: kept.tillId, name: kept.tillName ?? '' };

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

export const assetOf = ({ assetCode, assetScale }: WalletAddress) => ({ assetCode, assetScale });
