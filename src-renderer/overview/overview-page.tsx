import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowsLeftRight, IconCashPlus, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Overview } from '../../src-shared/operator-contract/node.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { PaymentRow } from '../components/money/payment-row.tsx';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { AnchorLink, ButtonLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { Rows, RowsSkeleton } from '../components/page/rows.tsx';
import { Split } from '../components/page/split.tsx';
import { Status } from '../components/page/status.tsx';
import { ClaimsToDecide } from '../components/refunds/claims-to-decide.tsx';
import { WaitingActs } from '../components/second-person/waiting-acts.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { Balances, BalancesSkeleton } from './balances.tsx';
import { HistoryCard } from './history.tsx';
import { LowBudgets } from './low-budgets.tsx';
import classes from './overview-page.module.css';
import { Today } from './today.tsx';
import { useNewDay } from './use-new-day.ts';

const words = messages.overview;
const RECENT = 6;
const PHONE = '(max-width: 48em)';

/** Shows what needs the operator, the balances, and what has moved. A cashier is led on, and asks for none of it. */
export const OverviewPage = () => (
  <Allowed to="node.overview">
    <Content />
  </Allowed>
);

function Content() {
  const overview = useQuery(queries.node.overview.queryOptions());
  useNewDay(overview.data?.now, overview.refetch);
  // On a phone the day's takings come before the balances, so that they stand on the first screen.
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  return (
    <Page
      title={words.title}
      actions={
        <ButtonLink to="/get-paid" leftSection={<IconCashPlus size={18} aria-hidden />}>
          {words.getPaid}
        </ButtonLink>
      }
    >
      <Allowed to="approvals.approve">
        <NeedsYou />
      </Allowed>
      <Allowed to="waiting.confirm">
        <WaitingActs />
      </Allowed>
      <Allowed to="claims.waiting">
        <ClaimsToDecide />
      </Allowed>
      <Loaded query={overview} skeleton={<BalancesSkeleton />}>
        {(data) => (
          <>
            {isPhone && <Today overview={data} />}
            <Balances totals={data.balances} />
          </>
        )}
      </Loaded>
      <Split
        main={
          <>
            <Loaded query={overview} skeleton={<Skeleton height={420} radius="lg" />}>
              {(data) => (
                <>
                  {!isPhone && <Today overview={data} />}
                  <HistoryCard history={data.history} />
                </>
              )}
            </Loaded>
            <Recent />
          </>
        }
        side={
          <Loaded query={overview} skeleton={<Skeleton height={300} radius="lg" />}>
            {(data) => (
              <>
                <LowBudgets />
                <Health checks={data.health} />
              </>
            )}
          </Loaded>
        }
      />
    </Page>
  );
}

/** Shows the grant requests that wait, before everything else. */
function NeedsYou() {
  const waiting = useQuery(queries.approvals.list.queryOptions());
  const [first] = waiting.data ?? [];
  if (waiting.data === undefined || first === undefined) return null;
  const only = waiting.data.length === 1;
  return (
    <Card accent flush>
      <div className={classes.needs}>
        <IconShieldCheck size={28} aria-hidden className={classes.shield} />
        <div className={classes.said}>
          <Text fw={600}>{words.needsYou({ count: waiting.data.length })}</Text>
          <Text c="dimmed" size="sm" className={classes.advice}>
            {words.needsYouAdvice}
          </Text>
        </div>
        {only ? (
          <ButtonLink to="/approvals/$id" params={{ id: first.id }}>
            {words.review}
          </ButtonLink>
        ) : (
          <ButtonLink to="/approvals">{words.reviewAll}</ButtonLink>
        )}
      </div>
    </Card>
  );
}

function Recent() {
  const now = useNodeTime(60_000);
  const recent = useQuery(queries.payments.list.queryOptions({ input: { limit: RECENT } }));
  return (
    <Card
      title={words.recent}
      flush
      aside={
        <AnchorLink to="/payments" size="sm">
          {words.allPayments}
        </AnchorLink>
      }
    >
      <Loaded query={recent} skeleton={<RowsSkeleton count={RECENT} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon={IconArrowsLeftRight}
              title={words.noPayments}
              advice={words.noPaymentsAdvice}
              action={
                <Group gap="sm" justify="center">
                  <ButtonLink to="/get-paid">{words.makeLink}</ButtonLink>
                  <ButtonLink to="/accounts" variant="default">
                    {words.showAddress}
                  </ButtonLink>
                </Group>
              }
            />
          ) : (
            <Rows label={words.recent}>
              {items.map((payment) => (
                <PaymentRow key={payment.id} payment={payment} now={now} />
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Card>
  );
}

function Health({ checks }: { checks: Overview['health'] }) {
  return (
    <Card
      title={words.health}
      aside={
        <AnchorLink to="/health" size="sm">
          {words.allHealth}
        </AnchorLink>
      }
    >
      <Stack gap="sm">
        {checks.map((check) => (
          <div key={check.name}>
            <Group justify="space-between" gap="sm">
              <Text size="sm" fw={550}>
                {words.healthNames[check.name]}
              </Text>
              <Status tone={check.state}>{words.healthStates[check.state]}</Status>
            </Group>
            <Text size="sm" c="dimmed">
              {messages.health.checkText(check)}
            </Text>
          </div>
        ))}
      </Stack>
    </Card>
  );
}
