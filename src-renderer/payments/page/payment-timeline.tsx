import { Text, Timeline } from '@mantine/core';
import { parseUint64 } from '../../../src-shared/amounts.ts';
import type { PaymentDetail, TimelineEntry } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import type { TimelineFacts } from '../../../src-shared/words/console/payments.ts';
import { dateTimeText } from '../../../src-shared/words/date-text.ts';
import { hostAndPath } from '../../../src-shared/words/inert-text.ts';
import { foldTries } from './fold-tries.ts';

/** The facts of an entry; its amounts are in smallest units of the payment's account. */
function factsOf({ body, events }: TimelineEntry, { progress }: PaymentDetail): TimelineFacts {
  const amount = (text: string | undefined) => {
    const value = text === undefined ? undefined : parseUint64(text);
    return value === undefined ? undefined : amountText({ ...progress, value });
  };
  return {
    amount: amount(body.amount),
    total: amount(body.received ?? body.sent),
    returned: amount(body.returned),
    isEmpty: (body.received ?? body.sent) === '0',
    byYou: body.by === 'operator',
    events,
    arrived: body.outcome !== 'not_arrived',
    payer: hostAndPath(body.payer ?? ''),
  };
}

const wordsOf = (entry: TimelineEntry, payment: PaymentDetail): string =>
  messages.payments.timelineEvents[entry.type]?.(factsOf(entry, payment)) ?? entry.type.replace(/[._]/g, ' ');

/** Tells what happened to a payment, the first event first. */
export function PaymentTimeline({ payment }: { payment: PaymentDetail }) {
  const timeline = foldTries(payment.timeline);
  return (
    <Timeline active={timeline.length - 1} bulletSize={14} lineWidth={2}>
      {timeline.map((entry) => (
        <Timeline.Item key={`${entry.type} ${entry.events === 1 ? entry.position : entry.since.getTime()}`}>
          <Text fw={550}>{wordsOf(entry, payment)}</Text>
          <Text size="sm" c="dimmed">
            {entry.since.getTime() !== entry.at.getTime() && `${dateTimeText(entry.since)} – `}
            {dateTimeText(entry.at)}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
