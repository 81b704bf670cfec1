import { Button, Center } from '@mantine/core';
import { IconArrowsLeftRight, IconFilterOff } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Card } from '../components/card.tsx';
import { Empty } from '../components/empty.tsx';
import { ButtonLink } from '../components/links.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Rows, RowsSkeleton } from '../components/rows.tsx';
import { messages } from '../messages.ts';
import { useNodeTime } from '../node-clock.ts';
import { queries } from '../operator-client.ts';
import { PaymentFilters } from './payment-filters.tsx';
import { PaymentRow } from './payment-row.tsx';
import { isFiltered } from './payment-search.ts';

const route = getRouteApi('/desk/payments');
const words = messages.payments;

/** All payments, in and out, newest first, with the filters of the address. */
export function PaymentsPage() {
  const filter = route.useSearch();
  const now = useNodeTime(60_000);
  const list = useInfiniteQuery(
    queries.payments.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...filter, cursor }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),
  );
  return (
    <Page title={words.title}>
      <PaymentFilters filter={filter} />
      <Loaded query={list} skeleton={<Card flush>{<RowsSkeleton count={10} />}</Card>}>
        {({ pages }) => {
          const payments = pages.flatMap(({ items }) => items);
          return (
            <Card flush>
              {payments.length === 0 ? (
                <NoPayments filtered={isFiltered(filter)} />
              ) : (
                <Rows label={words.title}>
                  {payments.map((payment) => (
                    <PaymentRow key={payment.id} payment={payment} now={now} />
                  ))}
                </Rows>
              )}
              {list.hasNextPage && (
                <Center p="md">
                  <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                    {messages.common.loadMore}
                  </Button>
                </Center>
              )}
            </Card>
          );
        }}
      </Loaded>
    </Page>
  );
}

function NoPayments({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty
        icon={IconFilterOff}
        title={words.noneFound}
        advice={words.noneFoundAdvice}
        action={
          <ButtonLink to="/payments" variant="default">
            {words.clear}
          </ButtonLink>
        }
      />
    );
  }
  return (
    <Empty
      icon={IconArrowsLeftRight}
      title={words.none}
      advice={words.noneAdvice}
      action={
        <ButtonLink to="/accounts" variant="default">
          {messages.overview.showAddress}
        </ButtonLink>
      }
    />
  );
}
