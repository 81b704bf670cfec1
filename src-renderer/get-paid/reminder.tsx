import { Button, Group } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import type { PaymentRequest } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateText } from '../../src-shared/words/date-text.ts';
import { Card } from '../components/page/card.tsx';
import { Copy } from '../components/text/copy.tsx';
import { InertText } from '../components/text/inert-text.tsx';

const words = messages.getPaid.reminder;

/** How much of a line is shown at once, in characters. The link is never cut. */
const SHOWN = 200;

/** A text with which the operator reminds the payer, to be copied or sent by the mail program. */
export function Reminder({ request }: { request: PaymentRequest }) {
  const { amount, progress, description, dueAt, link } = request;
  const missing = amount === null ? undefined : amountText({ ...amount, value: amount.value - progress.value });
  const lines = [
    missing === undefined ? words.open : words.missing({ amount: missing }),
    ...(description === null ? [] : [words.purpose({ purpose: description })]),
    ...(dueAt === null ? [] : [words.due({ day: dateText(dueAt) })]),
    words.link({ link }),
  ];
  const text = lines.join('\n');
  const mail = `mailto:?subject=${encodeURIComponent(words.subject)}&body=${encodeURIComponent(text)}`;
  return (
    <Card title={words.title}>
      {lines.map((line) => (
        <div key={line}>
          <InertText text={line} length={SHOWN} />
        </div>
      ))}
      <Group gap="sm" mt="md">
        <Copy value={text} what={words.text} large />
        <Button component="a" href={mail} variant="default" leftSection={<IconMail size={18} aria-hidden />}>
          {words.mail}
        </Button>
      </Group>
    </Card>
  );
}
