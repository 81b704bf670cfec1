import { Button, Group, Table, Text } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CurrentRate } from '../../src-shared/operator-contract/exchange/rates.ts';
import { plainNumberText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { whenText } from '../../src-shared/words/date-text.ts';
import { percentText } from '../../src-shared/words/rate-text.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { Allowed } from '../components/page/allowed.tsx';
import { Empty } from '../components/page/empty.tsx';
import { Status } from '../components/page/status.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import classes from './rates.module.css';

const words = messages.rates;

/** Shows the rates with their age, and which of them are too old to be used. */
export function RateTable({ rates, onEdit }: { rates: readonly CurrentRate[]; onEdit: (rate: CurrentRate) => void }) {
  if (rates.length === 0) return <Empty icon={IconArrowsExchange} title={words.none} advice={words.noneAdvice} />;
  const { columns } = words;
  return (
    <>
      <Table verticalSpacing="sm" horizontalSpacing="lg" aria-label={words.list} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {[columns.pair, columns.rate, columns.spread, columns.source, columns.age].map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
            <Table.Th>
              <span className={classes.hidden}>{columns.actions}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rates.map((rate) => (
            <RateRow key={`${rate.base} ${rate.quote}`} rate={rate} onEdit={onEdit} />
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" className={classes.note}>
        {words.listNote}
      </Text>
    </>
  );
}

function RateRow({ rate, onEdit }: { rate: CurrentRate; onEdit: (rate: CurrentRate) => void }) {
  const now = useNodeTime(5_000);
  const [asking, setAsking] = useState(false);
  const report = useReporting();
  const { base, quote, spreadBps, asOf, maxAgeSeconds, source } = rate;
  const pair = words.pair({ base, quote });
  const end = new Date(asOf.getTime() + maxAgeSeconds * 1000);
  const stale = rate.stale || now >= end;
  const remove = useMutation(
    queries.rates.remove.mutationOptions({
      onSuccess: async () => {
        setAsking(false);
        await report.done(words.removed({ pair }), 'rates');
      },
    }),
  );
  return (
    <Table.Tr>
      <Table.Td>{pair}</Table.Td>
      <Table.Td className={classes.figure}>{words.rate({ base, rate: plainNumberText(rate.rate), quote })}</Table.Td>
      <Table.Td data-column={words.columns.spread}>{percentText(spreadBps)}</Table.Td>
      <Table.Td className={classes.source}>
        <InertText text={source} length={60} />
      </Table.Td>
      <Table.Td data-column={words.columns.age}>
        {whenText(asOf, now)}
        <br />
        <Status tone={stale ? 'bad' : 'good'}>{stale ? words.stale : words.fresh({ when: whenText(end, now) })}</Status>
      </Table.Td>
      <Table.Td>
        <Allowed to="rates.set">
          <Group gap="xs" justify="flex-end" wrap="nowrap">
            <Button size="xs" variant="default" aria-label={words.editOf({ pair })} onClick={() => onEdit(rate)}>
              {words.edit}
            </Button>
            <Button size="xs" variant="subtle" color="red" aria-label={words.removeOf({ pair })} onClick={() => setAsking(true)}>
              {words.remove}
            </Button>
          </Group>
        </Allowed>
        <Confirm
          opened={asking}
          onClose={() => setAsking(false)}
          title={words.removeTitle({ pair })}
          words={words.removeWords}
          action={words.remove}
          danger
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ base, quote })}
        />
      </Table.Td>
    </Table.Tr>
  );
}
