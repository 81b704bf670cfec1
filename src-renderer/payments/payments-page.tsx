import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowsLeftRight, IconArrowUpRight, IconFileDownload, IconFilterOff } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { messages } from '../../src-shared/words/console/messages.ts';
import { spoken } from '../../src-shared/words/language/language.ts';
import { isFiltered } from '../components/filters/search-params.ts';
import { ExportDialog } from '../components/forms/export-dialog.tsx';
import { Card } from '../components/page/card.tsx';
import { EmptyList } from '../components/page/empty-list.tsx';
import { ButtonLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { RowsSkeleton } from '../components/page/rows.tsx';
import { client } from '../transport/operator-client.ts';
import { PaymentFilters } from './list/payment-filters.tsx';
import { PaymentList } from './list/payment-list.tsx';
import { PaymentTotals } from './list/payment-totals.tsx';
import type { PaymentList as List } from './list/use-payment-list.ts';
import { filterOf } from './payment-search.ts';

const route = getRouteApi('/desk/payments');
const words = messages.payments;

/** Shows all payments, in and out, newest first, with the filters of the address. */
export function PaymentsPage() {
  const search = route.useSearch();
  const filter = useMemo(() => filterOf(search), [search]);
  const [exporting, dialog] = useDisclosure(false);
  return (
    <Page
      title={words.title}
      actions={
        <Group gap="sm">
          <Button variant="default" leftSection={<IconFileDownload size={18} aria-hidden />} onClick={dialog.open}>
            {words.export}
          </Button>
          <ButtonLink to="/pay" leftSection={<IconArrowUpRight size={18} aria-hidden />}>
            {words.pay}
          </ButtonLink>
        </Group>
      }
    >
      <PaymentFilters search={search} />
      {search.unpaid && <Text c="dimmed">{words.unpaidNote}</Text>}
      <PaymentList filter={filter}>
        {(list) => (
          <>
            <Loaded query={list.first} skeleton={<Card flush>{<RowsSkeleton count={10} />}</Card>}>
              {() => (list.count === 0 ? <NoPayments filtered={isFiltered(search)} /> : <PaymentTotals summary={list.summary} />)}
            </Loaded>
            <ExportDialog
              read={(signal) => client.payments.export({ ...filter, format: 'spreadsheet', language: spoken() }, { signal })}
              count={exportCount(list)}
              fileName="payments"
              before={words.exporting.words({ count: words.count({ count: exportCount(list) }) })}
              after={(rows) => words.exporting.done({ rows })}
              opened={exporting}
              onClose={dialog.close}
            />
          </>
        )}
      </PaymentList>
    </Page>
  );
}

/** The export also contains payments that arrived meanwhile. */
const exportCount = ({ summary, count }: List): number => (summary === undefined ? count : summary.count + summary.newer);

function NoPayments({ filtered }: { filtered: boolean }) {
  if (filtered) {
    const clear = { to: '/payments', words: words.clear } as const;
    return <EmptyList flush icon={IconFilterOff} title={words.noneFound} advice={words.noneFoundAdvice} link={clear} />;
  }
  const address = { to: '/accounts', words: messages.overview.showAddress } as const;
  return <EmptyList flush icon={IconArrowsLeftRight} title={words.none} advice={words.noneAdvice} link={address} />;
}
