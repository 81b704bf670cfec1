import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CurrentRate } from '../../src-shared/operator-contract/exchange/rates.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { RowsSkeleton } from '../components/page/rows.tsx';
import { queries } from '../transport/operator-client.ts';
import { Fees } from './fees.tsx';
import { Following } from './following.tsx';
import { Funds } from './funds.tsx';
import { RateDialog } from './rate-dialog.tsx';
import { RateTable } from './rate-table.tsx';
import { Sources } from './sources.tsx';

const words = messages.rates;

/** Shows the rates by which the node exchanges, and the money to exchange with. */
export function RatesPage() {
  const rates = useQuery(queries.rates.list.queryOptions());
  // The dialog exists only while it is open, so that each opening starts from the present rate.
  const [dialog, setDialog] = useState<{ opening: number; rate: CurrentRate | undefined }>();
  const [opened, setOpened] = useState(false);
  const open = (rate?: CurrentRate) => {
    setDialog({ opening: (dialog?.opening ?? 0) + 1, rate });
    setOpened(true);
  };
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Allowed to="rates.set">
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => open()}>
            {words.add}
          </Button>
        </Allowed>
      }
    >
      <Card title={words.list} flush>
        <Loaded query={rates} skeleton={<RowsSkeleton count={2} />}>
          {(data) => <RateTable rates={data} onEdit={open} />}
        </Loaded>
      </Card>
      <Following />
      <Sources />
      <Fees />
      <Funds />
      {dialog !== undefined && <RateDialog key={dialog.opening} rate={dialog.rate} opened={opened} onClose={() => setOpened(false)} />}
    </Page>
  );
}
