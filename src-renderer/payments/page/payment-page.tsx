import { Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText, percent } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { BillCard } from '../../components/money/bill-card.tsx';
import { PaymentState } from '../../components/money/payment-state.tsx';
import { PaymentReceipt } from '../../components/money/receipt-button.tsx';
import { Allowed } from '../../components/page/allowed.tsx';
import { Card } from '../../components/page/card.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Split } from '../../components/page/split.tsx';
import { ClaimCards } from '../../components/refunds/claim-card.tsx';
import { MakeClaim } from '../../components/refunds/make-claim.tsx';
import { RefundPayment } from '../../components/refunds/refund-payment.tsx';
import { RefundsCard } from '../../components/refunds/refunds-card.tsx';
import { WaitingActs } from '../../components/second-person/waiting-acts.tsx';
import { Figure } from '../../components/text/figure.tsx';
import { InertText } from '../../components/text/inert-text.tsx';
import { queries } from '../../transport/operator-client.ts';
import { ArchivedTimeline } from './archived-timeline.tsx';
import { AttachedData } from './attached-data.tsx';
import { CompletePayment } from './complete-payment.tsx';
import { FailedPayment } from './failed-payment.tsx';
import { HeldMoney } from './held-money.tsx';
import { PaymentFacts } from './payment-facts.tsx';
import classes from './payment-page.module.css';
import { PaymentTimeline } from './payment-timeline.tsx';
import { UnknownPayment } from './unknown-payment.tsx';

const route = getRouteApi('/desk/payments/$id');
const words = messages.payments;

/** Shows one payment: its state, live while it moves, its history and its facts. */
export function PaymentPage() {
  const { id } = route.useParams();
  const payment = useQuery(queries.payments.get.queryOptions({ input: { id } }));
  return (
    <Loaded query={payment} skeleton={<PaymentSkeleton />}>
      {(data) => (
        <Page up="/payments" title={<InertText text={words.titleOf(data)} expands={false} />} actions={<Actions payment={data} />}>
          <Progressing payment={data} />
          <Allowed to="waiting.list">
            <WaitingActs subject={data.id} />
          </Allowed>
          <FailedPayment payment={data} />
          <HeldMoney payment={data} />
          <UnknownPayment payment={data} />
          <Split
            main={
              <>
                <Card title={words.facts}>
                  <PaymentFacts payment={data} />
                </Card>
                {data.direction === 'in' && data.client === null && <BillCard id={data.id} />}
              </>
            }
            side={
              <>
                <Card title={words.timeline}>
                  {data.archived ? <ArchivedTimeline payment={data} /> : <PaymentTimeline payment={data} />}
                </Card>
                <RefundsCard payment={data} />
                {data.direction === 'in' && data.progress.value > 0n && <ClaimCards payment={data} />}
                <AttachedData payment={data} />
              </>
            }
          />
        </Page>
      )}
    </Loaded>
  );
}

const Actions = ({ payment }: { payment: PaymentDetail }) => (
  <Group gap="sm">
    {payment.direction === 'in' && <PaymentReceipt payment={payment} />}
    <CompletePayment payment={payment} />
    <Allowed to="refunds.create">
      <RefundPayment payment={payment} />
    </Allowed>
    <Allowed to="claims.make">{payment.direction === 'in' && payment.progress.value > 0n && <MakeClaim payment={payment} />}</Allowed>
  </Group>
);

/** Shows the amount in large type, and how much of it has moved. */
function Progressing({ payment }: { payment: PaymentDetail }) {
  const { direction, amount, progress, status } = payment;
  const done = amountText(progress);
  const moving = direction === 'in' ? words.progressIn : words.progressOut;
  return (
    <Card>
      <Stack gap="sm">
        <div className={classes.head}>
          <Text c="dimmed" size="sm">
            {direction === 'in' ? words.incoming : words.outgoing}
          </Text>
          <PaymentState status={status} />
        </div>
        <Figure amount={amount === null || direction === 'in' ? done : amountText(amount)} data-testid="payment-amount" />
        {amount === null ? (
          <Text c="dimmed">{words.progressInOpen({ done })}</Text>
        ) : (
          <>
            <Progress.Root size="md" transitionDuration={200}>
              <Progress.Section
                value={percent(progress.value, amount.value)}
                aria-label={words.progressLabel}
                color={status === 'failed' ? 'red' : undefined}
              />
            </Progress.Root>
            <Text c="dimmed" size="sm" data-testid="payment-progress">
              {moving({ done, whole: amountText(amount) })}
            </Text>
          </>
        )}
      </Stack>
    </Card>
  );
}

function PaymentSkeleton() {
  return (
    <Page up="/payments" title={<Skeleton height={26} width={240} my={3} />}>
      <Skeleton height={158} radius="lg" />
      <Split main={<Skeleton height={420} radius="lg" />} side={<Skeleton height={260} radius="lg" />} />
    </Page>
  );
}
