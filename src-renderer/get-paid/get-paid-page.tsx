import { Skeleton, Text } from '@mantine/core';
import { IconArrowDownLeft, IconCashPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { PaymentRequest } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { whenText } from '../../src-shared/words/date-text.ts';
import { incomingAt, PaymentState } from '../components/money/payment-state.tsx';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { PlainLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { RowContent, Rows, RowsSkeleton, rowClass } from '../components/page/rows.tsx';
import { Split } from '../components/page/split.tsx';
import { Status } from '../components/page/status.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { RowMoney } from '../components/text/money.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { RequestForm } from './request-form.tsx';
import { usePayableAccount } from './use-payable-account.ts';

const route = getRouteApi('/desk/get-paid');
const words = messages.getPaid;

/** Makes links that others pay, and lists those that wait. */
export function GetPaidPage() {
  const { account: named } = route.useSearch();
  const { query, choose } = usePayableAccount(named);
  const navigate = useNavigate();
  return (
    <Page title={words.title} lead={words.lead}>
      <Split
        main={
          <Card title={words.form}>
            <Loaded query={query} skeleton={<Skeleton height={420} />}>
              {(account) => (
                <RequestForm
                  account={account}
                  onAccount={choose}
                  onCreated={({ id }) => void navigate({ to: '/get-paid/$id', params: { id } })}
                />
              )}
            </Loaded>
          </Card>
        }
        side={<OpenRequests />}
      />
    </Page>
  );
}

function OpenRequests() {
  const open = useQuery(queries.requests.open.queryOptions());
  return (
    <Card title={words.open} flush>
      <Loaded query={open} skeleton={<RowsSkeleton count={4} />}>
        {({ items, more }) =>
          items.length === 0 ? (
            <Empty icon={IconCashPlus} title={words.none} advice={words.noneAdvice} />
          ) : (
            <>
              <Rows label={words.open}>
                {items.map((request) => (
                  <OpenRequest key={request.id} request={request} />
                ))}
              </Rows>
              {more && (
                <Text size="sm" c="dimmed" p="md">
                  {words.openMore}
                </Text>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function OpenRequest({ request }: { request: PaymentRequest }) {
  const now = useNodeTime(60_000);
  const { status } = incomingAt(request, now);
  const { id, accountName, amount, progress, expiresAt } = request;
  const { description, note, reference } = request;
  return (
    <li>
      <PlainLink to="/get-paid/$id" params={{ id }} className={rowClass}>
        <RowContent
          icon={<IconArrowDownLeft size={18} />}
          title={<InertText text={description ?? note ?? reference ?? words.into({ account: accountName })} expands={false} />}
          detail={expiresAt === null ? words.neverEnds : words.ends({ when: whenText(expiresAt, now) })}
          end={amount === null ? words.anyAmount : <RowMoney text={amountText(amount)} />}
          endDetail={
            status === 'partly_paid' ? (
              <Status tone="busy">{words.partly({ arrived: amountText(progress) })}</Status>
            ) : (
              <PaymentState status={status} />
            )
          }
        />
      </PlainLink>
    </li>
  );
}
