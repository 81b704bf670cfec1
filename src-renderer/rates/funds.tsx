import { Button, Group, Text } from '@mantine/core';
import { IconPlus, IconScale } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assetKey } from '../../src-shared/amounts.ts';
import type { AmountValue } from '../../src-shared/operator-contract/values.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { RowsSkeleton } from '../components/page/rows.tsx';
import { queries } from '../transport/operator-client.ts';
import { FundDialog, type FundKind } from './fund-dialog.tsx';
import classes from './rates.module.css';

const words = messages.rates;

/** Shows the money to exchange with, one line for each currency. */
export function Funds() {
  const funds = useQuery(queries.rates.funds.queryOptions());
  const [dialog, setDialog] = useState<{ opening: number; kind: FundKind; fund: AmountValue | undefined }>();
  const [opened, setOpened] = useState(false);
  const ask = (kind: FundKind, fund?: AmountValue) => {
    setDialog({ opening: (dialog?.opening ?? 0) + 1, kind, fund });
    setOpened(true);
  };
  const add = (
    <Allowed to="rates.fund">
      <Button variant="default" size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => ask('fund')}>
        {words.fund}
      </Button>
    </Allowed>
  );
  return (
    <Card title={words.funds} aside={add}>
      <Loaded query={funds} skeleton={<RowsSkeleton count={2} />}>
        {(data) => {
          const filled = data.filter(({ value }) => value > 0n);
          return (
            <div className={classes.funds}>
              <Text c="dimmed" size="sm">
                {words.fundsLead}
              </Text>
              {filled.length === 0 && <Empty icon={IconScale} title={words.noFunds} advice={words.noFundsAdvice} />}
              {filled.map((fund) => (
                <div key={assetKey(fund)} className={classes.fund}>
                  <Text className={classes.figure}>{amountText(fund)}</Text>
                  <Allowed to="rates.fund">
                    <Group gap="xs">
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={words.fundOf({ currency: fund.assetCode })}
                        onClick={() => ask('fund', fund)}
                      >
                        {words.fundMore}
                      </Button>
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={words.withdrawOf({ currency: fund.assetCode })}
                        onClick={() => ask('withdraw', fund)}
                      >
                        {words.withdraw}
                      </Button>
                    </Group>
                  </Allowed>
                </div>
              ))}
            </div>
          );
        }}
      </Loaded>
      {dialog !== undefined && (
        <FundDialog
          key={dialog.opening}
          kind={dialog.kind}
          fund={dialog.fund}
          all={funds.data ?? []}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      )}
    </Card>
  );
}
