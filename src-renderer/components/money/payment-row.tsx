import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react';
import type { Payment } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText, changeText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { whenText } from '../../../src-shared/words/date-text.ts';
import { hostAndPath } from '../../../src-shared/words/inert-text.ts';
import { PlainLink } from '../page/links.tsx';
import { RowContent, rowClass } from '../page/rows.tsx';
import { InertText } from '../text/inert-text.tsx';
import { RowMoney } from '../text/money.tsx';
import classes from './payment-row.module.css';
import { RowState } from './payment-state.tsx';

/**
 * Shows the amount that has moved. Of an outgoing payment that has not moved anything yet, it shows the amount that
 * will leave. Of an incoming one it only ever shows what has arrived.
 */
function MovedAmount({ payment }: { payment: Payment }) {
  const { direction, progress, amount } = payment;
  const sign = direction === 'in' ? 1n : -1n;
  const moved = progress.value > 0n;
  const open = amountText(direction === 'in' || amount === null ? progress : amount);
  const text = moved ? changeText({ ...progress, value: sign * progress.value }) : open;
  const look = moved ? (direction === 'in' ? classes.in : undefined) : classes.still;
  return <RowMoney text={text} look={look} />;
}

/** Shows a payment as one line of a list. */
export const PaymentRow = (props: { payment: Payment; now: Date }) => (
  <li>
    <PaymentLink {...props} />
  </li>
);

/** Shows a payment as one line that links to its page. */
export function PaymentLink({ payment, now }: { payment: Payment; now: Date }) {
  const { direction, client, accountName, createdAt, till } = payment;
  const Icon = direction === 'in' ? IconArrowDownLeft : IconArrowUpRight;
  const words = messages.payments;
  return (
    <PlainLink to="/payments/$id" params={{ id: payment.id }} className={rowClass}>
      <RowContent
        icon={<Icon size={18} className={direction === 'in' && payment.progress.value > 0n ? classes.in : undefined} />}
        title={<InertText text={words.titleOf(payment)} expands={false} />}
        detail={
          <>
            {whenText(createdAt, now)} ·{' '}
            <InertText
              text={direction === 'in' ? words.incomingTo({ account: accountName }) : words.outgoingFrom({ account: accountName })}
              expands={false}
            />
            {till !== null && (
              <>
                {' · '}
                <InertText text={till.name} expands={false} />
              </>
            )}
            {client !== null && <span className={classes.client}> · {words.by({ app: hostAndPath(client) })}</span>}
          </>
        }
        end={<MovedAmount payment={payment} />}
        endDetail={<RowState payment={payment} />}
      />
    </PlainLink>
  );
}
