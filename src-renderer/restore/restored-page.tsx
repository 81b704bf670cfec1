import { Center, Group, Loader, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Restored } from '../../src-shared/operator-contract/restore.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../src-shared/words/date-text.ts';
import { Brand } from '../components/page/brand.tsx';
import { Card } from '../components/page/card.tsx';
import { ButtonLink } from '../components/page/links.tsx';
import { CopyableBlock } from '../components/text/copyable-block.tsx';
import { connection } from '../transport/live.ts';
import { queries } from '../transport/operator-client.ts';
import { useStateCell } from '../transport/state-cell.ts';
import classes from './restore.module.css';

const route = getRouteApi('/restored');
const words = messages.restore;

/** Waits for the node to start again, then tells how the restore ended and what is different. */
export function RestoredPage() {
  const { id } = route.useSearch();
  const last = useQuery(queries.restore.last.queryOptions());
  const known = useReadSinceLost(last.dataUpdatedAt);
  const restored = last.data?.last?.id === id ? last.data?.last : undefined;
  const failed = restored === undefined && known && last.data !== undefined;
  const title = restored ? words.doneTitle : failed ? words.failedTitle : words.restarting;
  useDocumentTitle(messages.common.title({ page: title, waiting: 0 }));
  return (
    <Center p="lg" component="main">
      <Stack gap="lg" className={classes.page} aria-live="polite">
        <Brand />
        {restored ? <Done restored={restored} /> : failed ? <Failed /> : <Restarting />}
      </Stack>
    </Center>
  );
}

/**
 * Whether the connection was lost since this page was opened and is there again, and the answer of `readAt` was read
 * after that. An answer from before says nothing of the restore, and a node that was silent for a while has not been
 * restarted.
 */
function useReadSinceLost(readAt: number): boolean {
  const state = useStateCell(connection);
  const [before, setBefore] = useState<number>();
  if (state === 'lost' && before !== readAt) setBefore(readAt);
  return state === 'live' && before !== undefined && readAt !== before;
}

function Restarting() {
  return (
    <Card>
      <Group gap="md" wrap="nowrap" align="flex-start">
        <Loader size="sm" mt={6} aria-hidden />
        <div>
          <Title order={1}>{words.restarting}</Title>
          <Text>{words.restartingWords}</Text>
        </div>
      </Group>
    </Card>
  );
}

function Failed() {
  return (
    <Stack gap="xs">
      <Title order={1}>{words.failedTitle}</Title>
      <Text>{words.failedWords}</Text>
      <Group gap="sm" mt="sm">
        <ButtonLink to="/restore">{words.tryAgain}</ButtonLink>
        <ButtonLink to="/health/log" variant="default">
          {messages.common.pages.health}
        </ButtonLink>
      </Group>
    </Stack>
  );
}

function Done({ restored: { madeAt, keptAside } }: { restored: Restored }) {
  return (
    <>
      <Stack gap="xs">
        <Group gap="sm" wrap="nowrap">
          <ThemeIcon variant="light" radius="xl" size={36} aria-hidden>
            <IconCheck size={20} />
          </ThemeIcon>
          <Title order={1}>{words.doneTitle}</Title>
        </Group>
        <Text>{words.doneLead({ when: dateTimeText(madeAt) })}</Text>
      </Stack>
      <Card title={words.changed}>
        <Stack gap="md">
          {words.changes.map(({ title, words: meaning }) => (
            <div key={title}>
              <Text fw={550}>{title}</Text>
              <Text size="sm" c="dimmed">
                {meaning}
              </Text>
            </div>
          ))}
        </Stack>
      </Card>
      <Card title={words.keptAside}>
        <Stack gap="xs">
          <Text>{words.keptAsideWords}</Text>
          <CopyableBlock value={keptAside} what={words.folder} />
        </Stack>
      </Card>
      <Group gap="sm">
        <ButtonLink to="/apps" size="md">
          {words.toApps}
        </ButtonLink>
        <ButtonLink to="/" size="md" variant="default">
          {words.toOverview}
        </ButtonLink>
      </Group>
    </>
  );
}
