import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Asset } from '../../../src-shared/amounts.ts';
import type { SecondPersonLimit } from '../../../src-shared/operator-contract/console/second-person.ts';
import { PROTECTED, type Protected } from '../../../src-shared/people/protected.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Failure } from '../../components/page/failure.tsx';
import { queries } from '../../transport/operator-client.ts';
import classes from '../settings.module.css';
import { SecondPersonDialog } from './second-person-dialog.tsx';

const words = messages.people.second;

/** Above which amounts a second person must confirm, in each currency of the accounts. */
export function SecondPerson() {
  const { data, error } = useQuery(queries.secondPerson.get.queryOptions());
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
      {data?.hasSecond === false && (
        <Text size="sm" c="dimmed">
          {words.nobody}
        </Text>
      )}
      <ul className={classes.browsers}>
        {data?.currencies.flatMap((asset) =>
          PROTECTED.map((what) => (
            <Line
              key={`${what}-${asset.assetCode}-${asset.assetScale}`}
              what={what}
              asset={asset}
              limits={data.limits}
              isOpen={data.hasSecond}
            />
          )),
        )}
      </ul>
    </Stack>
  );
}

interface LineProps {
  what: Protected;
  asset: Asset;
  limits: readonly SecondPersonLimit[];
  /** Whether there is somebody who could confirm. */
  isOpen: boolean;
}

function Line({ what, asset, limits, isOpen }: LineProps) {
  const [changing, setChanging] = useState(false);
  const { assetCode: currency, assetScale } = asset;
  const limit = limits.find((one) => one.what === what && one.assetCode === currency && one.assetScale === assetScale);
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <Text flex="1 1 12rem">
          {limit === undefined ? words.off[what]({ currency }) : words.on[what]({ amount: amountText({ value: limit.above, ...asset }) })}
        </Text>
        {(isOpen || limit !== undefined) && (
          <Button
            size="xs"
            variant="default"
            aria-label={`${messages.people.change}: ${words.titleOf[what]({ currency })}`}
            onClick={() => setChanging(true)}
          >
            {messages.people.change}
          </Button>
        )}
      </Group>
      {changing && <SecondPersonDialog what={what} asset={asset} above={limit?.above} onClose={() => setChanging(false)} />}
    </li>
  );
}
