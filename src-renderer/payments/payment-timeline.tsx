import { Text, Timeline } from '@mantine/core';
import { parseUint64 } from '../../src-shared/amounts.ts';
import type { PaymentDetail } from '../../src-shared/operator-contract/payments.ts';
import { amountText } from '../format/amount-text.ts';
import { dateTimeText } from '../format/date-text.ts';
import type { TimelineFacts } from '../messages/payments.ts';
import { messages } from '../messages.ts';

type Entry = PaymentDetail['timeline'][number];

/** What is one line to a reader: an event, or several packets in a row. */
interface Line {
  first: Entry;
  last: Entry;
}

const PACKETS = new Set(['incoming_payment.received', 'outgoing_payment.sent']);

function linesOf(timeline: readonly Entry[]): Line[] {
  const lines: Line[] = [];
  for (const entry of timeline) {
    const before = lines.at(-1);
    if (before?.last.type === entry.type && PACKETS.has(entry.type)) before.last = entry;
    else lines.push({ first: entry, last: entry });
  }
  return lines;
}

/** The facts of a line; its amounts are in smallest units of the payment's account. */
function factsOf({ first, last }: Line, { progress }: PaymentDetail): TimelineFacts {
  const { body } = last;
  const amount = (text: string | undefined) => {
    const value = text === undefined ? undefined : parseUint64(text);
    return value === undefined ? undefined : amountText({ ...progress, value });
  };
  return {
    amount: amount(body.amount),
    total: amount(body.received ?? body.sent),
    returned: amount(body.returned),
    byYou: body.by === 'operator',
    severalPackets: first !== last,
  };
}

const wordsOf = (line: Line, payment: PaymentDetail): string =>
  messages.payments.timelineEvents[line.last.type]?.(factsOf(line, payment)) ?? line.last.type.replace(/[._]/g, ' ');

/** What happened to a payment, in plain words, first things first. */
export function PaymentTimeline({ payment }: { payment: PaymentDetail }) {
  const lines = linesOf(payment.timeline);
  return (
    <Timeline active={lines.length - 1} bulletSize={14} lineWidth={2}>
      {lines.map((line) => (
        <Timeline.Item key={line.first.position.toString()}>
          <Text fw={550}>{wordsOf(line, payment)}</Text>
          <Text size="sm" c="dimmed">
            {line.first !== line.last && `${dateTimeText(line.first.at)} – `}
            {dateTimeText(line.last.at)}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
