import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconReceipt } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Fee, Pair } from '../../src-shared/operator-contract/exchange/pairs.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { RowsSkeleton } from '../components/page/rows.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { FeeDialog } from './fee-dialog.tsx';
import classes from './rates.module.css';
import { useOpening } from './use-opening.ts';

const words = messages.pairs.fees;

/** Shows what payers pay for an exchange. */
export function Fees() {
  const pairs = useQuery(queries.pairs.list.queryOptions());
  const { dialog, opened, open, close } = useOpening<Pair | undefined>();
  const add = (
    <Allowed to="pairs.setFee">
      <Button variant="default" size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open(undefined)}>
        {words.add}
      </Button>
    </Allowed>
  );
  return (
    <Card title={words.title} aside={add}>
      <Loaded query={pairs} skeleton={<RowsSkeleton count={1} />}>
        {(all) => (
          <div className={classes.funds}>
            <Text c="dimmed" size="sm">
              {words.lead}
            </Text>
            {all.every(({ fee }) => fee === null) && <Empty icon={IconReceipt} title={words.none} advice={words.noneAdvice} />}
            {all.map(
              (pair) => pair.fee && <FeeLine key={`${pair.base} ${pair.quote}`} {...pair} fee={pair.fee} onEdit={() => open(pair)} />,
            )}
          </div>
        )}
      </Loaded>
      {dialog !== undefined && <FeeDialog key={dialog.key} pair={dialog.subject} opened={opened} onClose={close} />}
    </Card>
  );
}

function FeeLine({ base, quote, fee, onEdit }: { base: string; quote: string; fee: Fee; onEdit: () => void }) {
  const [asking, setAsking] = useState(false);
  const report = useReporting();
  const remove = useMutation(
    queries.pairs.removeFee.mutationOptions({
      onSuccess: async () => {
        setAsking(false);
        await report.done(words.removed({ base, quote }), 'rates');
      },
    }),
  );
  return (
    <div className={classes.fund}>
      <Stack gap={4}>
        <Text fw={600}>{messages.rates.pair({ base, quote })}</Text>
        <Text size="sm">{words.takes(base, fee)}</Text>
      </Stack>
      <Allowed to="pairs.removeFee">
        <Group gap="xs">
          <Button size="xs" variant="default" aria-label={words.changeOf({ base, quote })} onClick={onEdit}>
            {words.change}
          </Button>
          <Button size="xs" variant="subtle" color="red" aria-label={words.removeOf({ base, quote })} onClick={() => setAsking(true)}>
            {words.remove}
          </Button>
          <Confirm
            opened={asking}
            onClose={() => setAsking(false)}
            title={words.removeTitle({ base, quote })}
            words={words.removeWords}
            action={words.remove}
            danger
            busy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate({ base, quote })}
          />
        </Group>
      </Allowed>
    </div>
  );
}
