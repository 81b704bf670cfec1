import { incomingStatus, takesMoney } from '../../../src-shared/incoming-status.ts';
import type { Payment, PaymentStatus } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Status, type Tone } from '../page/status.tsx';

const words = messages.payments;

const TONES: Record<PaymentStatus, Tone> = {
  waiting: 'idle',
  partly_paid: 'busy',
  paid: 'good',
  cancelled: 'idle',
  expired: 'idle',
  nothing_received: 'idle',
  queued: 'busy',
  sending: 'busy',
  retrying: 'warning',
  settling: 'busy',
  unknown: 'warning',
  completed: 'good',
  failed: 'bad',
};

export function PaymentState({ status }: { status: PaymentStatus }) {
  return <Status tone={TONES[status]}>{words.statuses[status]}</Status>;
}

/** Amounts of more characters find no room beside their state; the payment's page has them. */
const LONG = 14;

/**
 * The state in a list, whose amounts are what has moved: it also says what is still waited for,
 * and what was given back.
 */
export function RowState({ payment }: { payment: Pick<Payment, 'status' | 'amount' | 'progress' | 'refunded'> }) {
  const { status, amount, progress, refunded } = payment;
  if (refunded.value > 0n) {
    const given = refunded.value >= progress.value ? words.refunded : words.partlyRefunded({ amount: amountText(refunded) });
    return <Status tone="idle">{given}</Status>;
  }
  const asked = amount === null ? '' : amountText(amount);
  if (asked === '' || asked.length > LONG || (status !== 'waiting' && status !== 'partly_paid')) return <PaymentState status={status} />;
  return <Status tone={TONES[status]}>{status === 'waiting' ? words.waitingFor({ asked }) : words.partlyPaidOf({ asked })}</Status>;
}

/**
 * How an incoming payment stands at this moment. It expires without an event in the node, so the page's clock decides.
 */
export function incomingAt(
  { completed, progress, amount, client, expiresAt }: Payment & { expiresAt: Date | null },
  now: Date,
): { status: PaymentStatus; isOpen: boolean } {
  const facts = {
    completed,
    received: progress.value,
    asked: amount?.value ?? null,
    endsAt: expiresAt?.getTime() ?? null,
    isOwn: client === null,
  };
  return { status: incomingStatus(facts, now.getTime()), isOpen: takesMoney(facts, now.getTime()) };
}
