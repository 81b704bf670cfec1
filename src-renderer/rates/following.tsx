import { Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowsExchange, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Pair } from '../../src-shared/operator-contract/exchange/pairs.ts';
import { plainNumberText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { whenText } from '../../src-shared/words/date-text.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { RowsSkeleton } from '../components/page/rows.tsx';
import { Status } from '../components/page/status.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { FollowDialog } from './follow-dialog.tsx';
import classes from './rates.module.css';
import { useOpening } from './use-opening.ts';

const words = messages.pairs;

type Followed = NonNullable<Pair['followed']>;

/** Shows the pairs that follow the sources, and what waits for the operator. */
export function Following() {
  const pairs = useQuery(queries.pairs.list.queryOptions());
  const { dialog, opened, open, close } = useOpening<Pair | undefined>();
  const add = (
    <Allowed to="pairs.follow">
      <Button variant="default" size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open(undefined)}>
        {words.follow}
      </Button>
    </Allowed>
  );
  return (
    <Card title={words.title} aside={add}>
      <Loaded query={pairs} skeleton={<RowsSkeleton count={2} />}>
        {(all) => {
          const following = all.filter(({ followed }) => followed !== null);
          return (
            <div className={classes.funds}>
              <Text c="dimmed" size="sm">
                {words.lead}
              </Text>
              {following.length === 0 && <Empty icon={IconArrowsExchange} title={words.none} advice={words.noneAdvice} />}
              {following.map((pair) => (
                <FollowedPair key={`${pair.base} ${pair.quote}`} pair={pair} onEdit={() => open(pair)} />
              ))}
            </div>
          );
        }}
      </Loaded>
      {dialog !== undefined && <FollowDialog key={dialog.key} pair={dialog.subject} opened={opened} onClose={close} />}
    </Card>
  );
}

function FollowedPair({ pair, onEdit }: { pair: Pair; onEdit: () => void }) {
  const { base, quote, counts, followed } = pair;
  if (followed === null) return null;
  const { believed, spreadBps, maxJumpBps, maxAgeSeconds, fallsBack, jump } = followed;
  return (
    <div className={classes.fund}>
      <Stack gap={4} className={classes.told}>
        <Group gap="sm">
          <Text fw={600}>{messages.rates.pair({ base, quote })}</Text>
          <Status tone={counts === 'followed' ? 'good' : counts === 'by_hand' ? 'warning' : 'bad'}>{words.counts[counts]}</Status>
        </Group>
        {believed === null ? <Text size="sm">{words.noRate}</Text> : <Believed base={base} quote={quote} believed={believed} />}
        <Text size="sm" c="dimmed">
          {words.settings(spreadBps, maxJumpBps, maxAgeSeconds)} {fallsBack ? words.fallsBack : words.stops}
        </Text>
        {jump !== null && <Jump base={base} quote={quote} jump={jump} before={believed?.rate} />}
      </Stack>
      <Allowed to="pairs.unfollow">
        <Actions base={base} quote={quote} onEdit={onEdit} />
      </Allowed>
    </div>
  );
}

function Believed({ base, quote, believed }: { base: string; quote: string; believed: NonNullable<Followed['believed']> }) {
  const now = useNodeTime(5_000);
  return (
    <Text size="sm">
      <span className={classes.figure}>{words.rate({ base, rate: plainNumberText(believed.rate), quote })}</span> ·{' '}
      {words.by({ source: believed.source, when: whenText(believed.asOf, now) })}
    </Text>
  );
}

interface JumpProps {
  base: string;
  quote: string;
  jump: NonNullable<Followed['jump']>;
  /** The rate that the node believes; undefined when there is none. */
  before: string | undefined;
}

function Jump({ base, quote, jump, before }: JumpProps) {
  const [asking, setAsking] = useState(false);
  const report = useReporting();
  const confirm = useMutation(
    queries.pairs.confirmJump.mutationOptions({
      onSuccess: async () => {
        setAsking(false);
        await report.done(words.confirmed({ base, quote }), 'rates');
      },
    }),
  );
  const after = words.rate({ base, rate: plainNumberText(jump.rate), quote });
  return (
    <Group gap="sm">
      <Text size="sm" role="alert">
        {words.jumped({ source: jump.source, rate: after })}
      </Text>
      <Allowed to="pairs.confirmJump">
        <Button size="xs" onClick={() => setAsking(true)}>
          {words.confirm}
        </Button>
      </Allowed>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.confirmTitle({ base, quote })}
        words={words.confirmWords({
          before: before === undefined ? words.noRate : words.rate({ base, rate: plainNumberText(before), quote }),
          after,
        })}
        action={words.confirm}
        busy={confirm.isPending}
        error={confirm.error}
        onConfirm={() => confirm.mutate({ base, quote, exact: jump.exact })}
      />
    </Group>
  );
}

function Actions({ base, quote, onEdit }: { base: string; quote: string; onEdit: () => void }) {
  const [asking, setAsking] = useState(false);
  const report = useReporting();
  const stop = useMutation(
    queries.pairs.unfollow.mutationOptions({
      onSuccess: async () => {
        setAsking(false);
        await report.done(words.stopped({ base, quote }), 'rates');
      },
    }),
  );
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" aria-label={words.changeOf({ base, quote })} onClick={onEdit}>
        {words.change}
      </Button>
      <Button size="xs" variant="subtle" color="red" aria-label={words.stopOf({ base, quote })} onClick={() => setAsking(true)}>
        {words.stop}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.stopTitle({ base, quote })}
        words={words.stopWords}
        action={words.stop}
        danger
        busy={stop.isPending}
        error={stop.error}
        onConfirm={() => stop.mutate({ base, quote })}
      />
    </Group>
  );
}
