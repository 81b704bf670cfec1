import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import type { Payee, PaymentQuote } from '../../src-shared/operator-contract/payments/paying.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { timeText } from '../../src-shared/words/date-text.ts';
import { rateText } from '../../src-shared/words/rate-text.ts';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { ButtonLink } from '../components/page/links.tsx';
import { WaitingActs } from '../components/second-person/waiting-acts.tsx';
import { Facts } from '../components/text/facts.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { Money } from '../components/text/money.tsx';
import { outcomeUnknown, waitsForSecond } from '../transport/error-text.ts';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import type { Terms } from './amount-step.tsx';
import { costsOf } from './costs.ts';
import { PayeeFacts } from './payee-facts.tsx';

const words = messages.pay;

interface ConfirmStepProps {
  account: Account;
  payee: Payee;
  terms: Terms;
  quote: PaymentQuote;
  onBack: () => void;
}

/** Shows the price and the button that sends the money. However often it is pressed, it pays once. */
export function ConfirmStep({ account, payee, terms, quote, onBack }: ConfirmStepProps) {
  const navigate = useNavigate();
  const report = useReporting();
  const [requestId] = useState(() => crypto.randomUUID());
  const ended = useNodeTime(1_000) >= quote.expiresAt;
  const pay = useMutation(
    queries.payments.pay.mutationOptions({
      // Whoever pays sees at once that it waits.
      onError: (error) => void (waitsForSecond(error) && report.changed('waiting')),
      onSuccess: ({ id }) => void navigate({ to: '/payments/$id', params: { id }, replace: true }),
    }),
  );
  const { debitAmount, receiveAmount } = quote;
  const short = debitAmount.value > account.balance;
  const unknown = outcomeUnknown(pay.error);
  const waits = waitsForSecond(pay.error);
  const note = terms.note.trim();
  return (
    <Card title={words.steps.confirm}>
      <Stack gap="md">
        <PayeeFacts payee={payee} />
        <Facts
          facts={[
            [words.from, <InertText key="from" text={account.publicName} expands={false} />],
            [
              words.leaves,
              <strong key="leaves">
                <Money text={amountText(debitAmount)} fits />
              </strong>,
            ],
            [
              words.arrives,
              <strong key="arrives">
                <Money text={amountText(receiveAmount)} fits />
              </strong>,
            ],
            priceFact(quote),
            [words.note, note === '' ? null : <InertText key="note" text={note} />],
          ]}
        />
        <Text size="sm" c="dimmed" role="status" hidden={waits}>
          {ended ? words.ended : `${words.holds({ when: timeText(quote.expiresAt) })} ${words.irrevocable}`}
        </Text>
        {short && (
          <Text size="sm" c="red" role="alert">
            {words.notEnough}
          </Text>
        )}
        <Failure error={pay.error} />
        {waits && <WaitingActs id={requestId} />}
        <Group justify="space-between">
          <Button variant="default" onClick={onBack} disabled={pay.isPending || unknown}>
            {words.back}
          </Button>
          {waits ? (
            <ButtonLink to="/">{messages.overview.title}</ButtonLink>
          ) : ended && !unknown ? (
            <Button onClick={onBack}>{words.newPrice}</Button>
          ) : (
            <Button
              onClick={() =>
                pay.mutate({ requestId, accountId: account.id, quoteId: quote.id, payee: payee.url, ...(note !== '' && { note }) })
              }
              loading={pay.isPending || pay.isSuccess}
              disabled={short && !unknown}
              autoFocus
            >
              {unknown ? messages.common.tryAgain : words.confirm({ amount: amountText(debitAmount) })}
            </Button>
          )}
        </Group>
      </Stack>
    </Card>
  );
}

/** Says what is taken off on the way, or what the other currency costs. */
function priceFact(quote: PaymentQuote): [label: string, value: ReactNode] {
  const costs = costsOf(quote);
  if (costs === undefined) return [words.rate, rateText(quote.debitAmount, quote.receiveAmount)];
  return [words.costs, costs.value === 0n ? words.noConversion : <Money key="costs" text={amountText(costs)} fits />];
}
