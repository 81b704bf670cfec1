import { Group, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PaymentRequest } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { whenText } from '../../src-shared/words/date-text.ts';
import { incomingAt, PaymentState } from '../components/money/payment-state.tsx';
import { Allowed } from '../components/page/allowed.tsx';
import { AnchorLink, PlainLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { RowMoney } from '../components/text/money.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useTill } from '../transport/you.ts';
import classes from './till.module.css';

const words = messages.till;

/** What was sold today, newest first. Each opens again. */
export function SalesToday() {
  const sales = useQuery(queries.requests.sales.queryOptions());
  return (
    <section className={classes.sales} aria-label={words.today}>
      <Group justify="space-between" gap="sm">
        <Title order={2}>{words.today}</Title>
        <Allowed to="closings.current">
          <Group gap="md">
            <AnchorLink to="/products" size="sm">
              {words.products}
            </AnchorLink>
            <AnchorLink to="/closings" size="sm">
              {messages.closings.title}
            </AnchorLink>
          </Group>
        </Allowed>
      </Group>
      <Loaded query={sales} skeleton={<Skeleton height={180} />}>
        {({ items, more }) =>
          items.length === 0 ? (
            <Text c="dimmed">{words.noneToday}</Text>
          ) : (
            <>
              <ul className={classes.list} aria-label={words.today}>
                {items.map((sale) => (
                  <Row key={sale.id} sale={sale} />
                ))}
              </ul>
              {more && (
                <Text size="sm" c="dimmed">
                  {words.more}
                </Text>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function Row({ sale }: { sale: PaymentRequest }) {
  const now = useNodeTime(10_000);
  const here = useTill();
  const { id, amount, progress, description, createdAt, till } = sale;
  return (
    <li>
      <PlainLink to="/till" search={{ sale: id }} className={classes.row}>
        <RowMoney text={amountText(amount ?? progress)} />
        <span className={classes.what}>
          {whenText(createdAt, now)}
          {till !== null && till.id !== here?.id && (
            <>
              {' · '}
              <InertText text={till.name} expands={false} />
            </>
          )}
          {description !== null && (
            <>
              {' · '}
              <InertText text={description} expands={false} />
            </>
          )}
        </span>
        <PaymentState status={incomingAt(sale, now).status} />
      </PlainLink>
    </li>
  );
}
