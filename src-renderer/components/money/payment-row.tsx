import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react';
import type { Payment, PaymentStatus } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText, changeText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { whenText } from '../../../src-shared/words/date-text.ts';
import { hostAndPath } from '../../../src-shared/words/inert-text.ts';
import { PlainLink } from '../page/links.tsx';
import { RowContent, rowClass } from '../page/rows.tsx';
import { Status, type Tone } from '../page/status.tsx';
import { InertText } from '../text/inert-text.tsx';
import classes from './payment-row.module.css';

const TONES: Record<PaymentStatus, Tone> = {
  waiting: 'idle',
  receiving: 'busy',
  queued: 'busy',
  sending: 'busy',
  retrying: 'warning',
  settling: 'busy',
  unknown: 'warning',
  completed: 'good',
  expired: 'idle',
  failed: 'bad',
};

/** Amounts of more characters are written smaller. */
const LONG = 18;

export function PaymentState({ status }: { status: PaymentStatus }) {
  return <Status tone={TONES[status]}>{messages.payments.statuses[status]}</Status>;
}

/**
 * Shows the amount that has moved. Before anything has moved, it shows the amount that will move, in a paler colour.
 */
function MovedAmount({ payment }: { payment: Payment }) {
  const { direction, progress, amount } = payment;
  const sign = direction === 'in' ? 1n : -1n;
  const moved = progress.value > 0n;
  const open = amount === null ? messages.payments.anyAmount : amountText(amount);
  const text = moved ? changeText({ ...progress, value: sign * progress.value }) : open;
  const look = moved ? (direction === 'in' ? classes.in : undefined) : classes.still;
  return (
    <span className={look} data-long={text.length > LONG || undefined}>
      {text}
    </span>
  );
}

/** Shows a payment as one line of a list. */
export const PaymentRow = (props: { payment: Payment; now: Date }) => (
  <li>
    <PaymentLink {...props} />
  </li>
);

/** Shows a payment as one line that links to its page. */
export function PaymentLink({ payment, now }: { payment: Payment; now: Date }) {
  const { direction, client, accountName, createdAt } = payment;
  const Icon = direction === 'in' ? IconArrowDownLeft : IconArrowUpRight;
  const words = messages.payments;
  return (
    <PlainLink to="/payments/$id" params={{ id: payment.id }} className={rowClass}>
      <RowContent
        icon={<Icon size={18} className={direction === 'in' ? classes.in : undefined} />}
        title={<InertText text={words.titleOf(payment)} expands={false} />}
        detail={
          <>
            {whenText(createdAt, now)} ·{' '}
            <InertText text={direction === 'in' ? words.incomingTo(accountName) : words.outgoingFrom(accountName)} expands={false} />
            {client !== null && <span className={classes.client}> · {words.by(hostAndPath(client))}</span>}
          </>
        }
        end={<MovedAmount payment={payment} />}
        endDetail={<PaymentState status={payment.status} />}
      />
    </PlainLink>
  );
}
