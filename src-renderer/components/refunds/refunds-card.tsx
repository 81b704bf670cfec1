import { Stack, Text } from '@mantine/core';
import type { PaymentDetail, Refund } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { hostAndPath } from '../../../src-shared/words/inert-text.ts';
import { useMayRead } from '../../transport/you.ts';
import { ReceiptButton } from '../money/receipt-button.tsx';
import { Card } from '../page/card.tsx';
import { AnchorLink } from '../page/links.tsx';
import { LoadMore } from '../page/load-more.tsx';
import { Status, type Tone } from '../page/status.tsx';
import { InertText } from '../text/inert-text.tsx';
import { useRefunds } from './all-of-payment.ts';

const words = messages.payments.refund;

const TONES: Record<Refund['state'], Tone> = { pending: 'busy', done: 'good', failed: 'bad', unknown: 'warning' };

type Refunded = Pick<PaymentDetail, 'id' | 'direction' | 'progress' | 'refunds' | 'moreRefunds' | 'refunded'>;

/** What was given back of a received payment, and what is on its way, the newest first. */
export function RefundsCard({ payment }: { payment: Refunded }) {
  const { direction, progress, refunded } = payment;
  const { items: refunds, list } = useRefunds(payment);
  if (direction === 'out' || progress.value === 0n) return null;
  if (refunds.length === 0) return null;
  return (
    <Card title={words.heading}>
      <Stack gap="md">
        <Text fw={550} data-testid="refunded">
          {words.summary({ done: amountText(refunded), whole: amountText(progress) })}
        </Text>
        {refunds.map((refund) => (
          <RefundLine key={refund.id} refund={refund} />
        ))}
        <LoadMore list={list} />
      </Stack>
    </Card>
  );
}

function RefundLine({ refund }: { refund: Refund }) {
  const { id, amount, receive, left, payer, reason, state, failure, outgoingPaymentId, claimed } = refund;
  const reads = useMayRead();
  const isPart = state === 'failed' && left.value > 0n;
  return (
    <div data-testid="refund">
      <Status tone={TONES[state]}>{words.states[state]}</Status>
      <Text>
        {amountText(amount)} · <InertText text={hostAndPath(payer)} expands={false} />
      </Text>
      {receive !== null && (
        <Text size="sm" c="dimmed">
          {words.paid.arrives({ amount: amountText(receive) })}
        </Text>
      )}
      {claimed !== null && (
        <Text size="sm" c="dimmed">
          {messages.claims.by[claimed]}
        </Text>
      )}
      {reason !== null && (
        <Text size="sm" c="dimmed">
          <InertText text={reason} length={200} />
        </Text>
      )}
      {failure !== null && <Text size="sm">{failureText(refund)}</Text>}
      {isPart && <Text size="sm">{words.partLeft({ left: amountText(left) })}</Text>}
      {reads && outgoingPaymentId !== null && (
        <AnchorLink to="/payments/$id" params={{ id: outgoingPaymentId }} size="sm">
          {words.see}
        </AnchorLink>
      )}
      {reads && (state === 'done' || isPart) && (
        <div>
          <ReceiptButton kind="refund" id={id} size="compact-sm" />
        </div>
      )}
    </div>
  );
}

/** Why a refund failed. One that has a payment failed as that payment did. */
function failureText({ failure, outgoingPaymentId }: Refund): string {
  if (failure === null) return '';
  if (outgoingPaymentId !== null) return messages.payments.failureText(failure);
  return messages.payments.refundFailureText(failure);
}
