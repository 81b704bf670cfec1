import { Text, Timeline } from '@mantine/core';
import { parseUint64 } from '../../src-shared/amounts.ts';
import type { PaymentDetail } from '../../src-shared/operator-contract/payments.ts';
import { amountText } from '../format/amount-text.ts';
import { dateTimeText } from '../format/date-text.ts';
import type { TimelineFacts } from '../messages/payments.ts';
import { messages } from '../messages.ts';

type Entry = PaymentDetail['timeline'][number];

/** The facts of an event; its amounts are in smallest units of the payment's account. */
function factsOf({ body }: Entry, { progress }: PaymentDetail): TimelineFacts {
  const amount = (text: string | undefined) => {
    const value = text === undefined ? undefined : parseUint64(text);
    return value === undefined ? undefined : amountText({ ...progress, value });
  };
  return {
    amount: amount(body.amount),
    total: amount(body.received ?? body.sent),
    returned: amount(body.returned),
    byYou: body.by === 'operator',
  };
}

const wordsOf = (entry: Entry, payment: PaymentDetail): string =>
  messages.payments.timelineEvents[entry.type]?.(factsOf(entry, payment)) ?? entry.type.replace(/[._]/g, ' ');

/** What happened to a payment, in plain words, first things first. */
export function PaymentTimeline({ payment }: { payment: PaymentDetail }) {
  return (
    <Timeline active={payment.timeline.length - 1} bulletSize={14} lineWidth={2}>
      {payment.timeline.map((entry) => (
        <Timeline.Item key={entry.position.toString()}>
          <Text fw={550}>{wordsOf(entry, payment)}</Text>
          <Text size="sm" c="dimmed">
            {dateTimeText(entry.at)}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
