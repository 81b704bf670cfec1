import { Button, Stack, Text } from '@mantine/core';
import { IconCloudDownload, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { RateSource } from '../../src-shared/operator-contract/exchange/rate-sources.ts';
import { plainNumberText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { whenText } from '../../src-shared/words/date-text.ts';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { RowsSkeleton } from '../components/page/rows.tsx';
import { Status, type Tone } from '../components/page/status.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import classes from './rates.module.css';
import { SourceActions } from './source-actions.tsx';
import { SourceDialog } from './source-dialog.tsx';
import { useOpening } from './use-opening.ts';

const words = messages.rateSources;

/** Shows the sources in their order, what each said last, and when the node looks again. */
export function Sources() {
  const sources = useQuery(queries.rateSources.list.queryOptions());
  const { dialog, opened, open, close } = useOpening<null>();
  const add = (
    <Allowed to="rateSources.add">
      <Button variant="default" size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open(null)}>
        {words.add}
      </Button>
    </Allowed>
  );
  return (
    <Card title={words.title} aside={add}>
      <Loaded query={sources} skeleton={<RowsSkeleton count={2} />}>
        {(all) => (
          <div className={classes.funds}>
            <Text c="dimmed" size="sm">
              {words.lead}
            </Text>
            {all.length === 0 && <Empty icon={IconCloudDownload} title={words.none} advice={words.noneAdvice} />}
            {all.map((source, at) => (
              <Source key={source.id} source={source} isFirst={at === 0} />
            ))}
          </div>
        )}
      </Loaded>
      {dialog !== undefined && <SourceDialog key={dialog.key} opened={opened} onClose={close} />}
    </Card>
  );
}

function stateOf({ isOn, problem }: RateSource, isFirst: boolean): { tone: Tone; children: string } {
  if (!isOn) return { tone: 'idle', children: words.off };
  if (problem !== null) return { tone: 'warning', children: words.notGood };
  return { tone: 'good', children: isFirst ? words.first : words.on };
}

function Source({ source, isFirst }: { source: RateSource; isFirst: boolean }) {
  const now = useNodeTime(5_000);
  const { name, said, lookedAt, nextLookAt, problem, place } = source;
  const [first] = said?.rates ?? [];
  const looked = [
    ...(lookedAt === null ? [] : [words.looked({ when: whenText(lookedAt, now) })]),
    ...(nextLookAt === null ? [] : [words.next({ when: whenText(nextLookAt, now) })]),
  ].join(', ');
  return (
    <div className={classes.fund}>
      <Stack gap={4} className={classes.told}>
        <span>
          <Text fw={600} component="span" me="sm">
            <InertText text={name} length={60} />
          </Text>
          <Status {...stateOf(source, isFirst)} />
        </span>
        <Text size="sm" c="dimmed">
          <InertText text={place.url} length={80} />
        </Text>
        <Text size="sm">
          {said === null || first === undefined
            ? words.nothing
            : words.said(
                words.says({ base: said.base, quote: first.quote, rate: plainNumberText(first.rate) }),
                said.rates.length,
                whenText(said.asOf, now),
              )}
        </Text>
        {problem !== null && (
          <Text size="sm" role="status">
            {words.failing({ problem: words.problem(problem) })}
          </Text>
        )}
        {looked !== '' && (
          <Text size="sm" c="dimmed">
            {looked}
          </Text>
        )}
      </Stack>
      <Allowed to="rateSources.switch">
        <SourceActions source={source} isFirst={isFirst} />
      </Allowed>
    </div>
  );
}
