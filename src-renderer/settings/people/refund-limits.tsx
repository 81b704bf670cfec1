import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Asset } from '../../../src-shared/amounts.ts';
import type { RefundLimit } from '../../../src-shared/operator-contract/payments/refunds.ts';
import { LIMITED_ROLES, type LimitedRole } from '../../../src-shared/people/roles.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Failure } from '../../components/page/failure.tsx';
import { queries } from '../../transport/operator-client.ts';
import classes from '../settings.module.css';
import { RefundLimitDialog } from './refund-limit-dialog.tsx';

const words = messages.people.limits;

/** How much cashiers and managers may refund, in each currency of the accounts. */
export function RefundLimits() {
  const { data, error } = useQuery(queries.refundLimits.list.queryOptions());
  if (data?.currencies.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label={words.title} className={classes.schedule}>
      <Title order={3} className={classes.heading}>
        {words.title}
      </Title>
      <Text size="sm" c="dimmed">
        {words.lead}
      </Text>
      <Failure error={error} />
      <ul className={classes.browsers}>
        {data?.currencies.flatMap((asset) =>
          LIMITED_ROLES.map((role) => (
            <LimitLine key={`${role}-${asset.assetCode}-${asset.assetScale}`} role={role} asset={asset} limits={data.limits} />
          )),
        )}
      </ul>
    </Stack>
  );
}

/** What a role may refund in a currency, in a sentence. */
function LimitLine({ role, asset, limits }: { role: LimitedRole; asset: Asset; limits: readonly RefundLimit[] }) {
  const [changing, setChanging] = useState(false);
  const { assetCode: currency, assetScale } = asset;
  const limit = limits.find((one) => one.role === role && one.assetCode === currency && one.assetScale === assetScale);
  const text = (value: bigint) => amountText({ value, ...asset });
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <Text flex="1 1 12rem">
          {limit === undefined
            ? words.none[role]({ currency })
            : words.upTo[role]({ perPayment: text(limit.perPayment), perDay: text(limit.perDay) })}
        </Text>
        <Button
          size="xs"
          variant="default"
          aria-label={`${words.change}: ${words.titleOf[role]({ currency })}`}
          onClick={() => setChanging(true)}
        >
          {words.change}
        </Button>
      </Group>
      {changing && <RefundLimitDialog role={role} asset={asset} limit={limit} onClose={() => setChanging(false)} />}
    </li>
  );
}
