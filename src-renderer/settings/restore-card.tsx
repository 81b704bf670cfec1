import { Stack, Text } from '@mantine/core';
import { IconDatabaseImport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../src-shared/words/date-text.ts';
import { Card } from '../components/page/card.tsx';
import { ButtonLink } from '../components/page/links.tsx';
import { CopyableBlock } from '../components/text/copyable-block.tsx';
import { queries } from '../transport/operator-client.ts';

const words = messages.settings.restore;

/** Says how to restore a backup, here or in a terminal, and what the last restore has replaced. */
export function RestoreCard() {
  const info = useQuery(queries.node.info.queryOptions());
  const last = useQuery(queries.restore.last.queryOptions()).data?.last;
  return (
    <Card
      title={words.title}
      aside={
        <ButtonLink to="/restore" size="xs" variant="default" leftSection={<IconDatabaseImport size={16} aria-hidden />}>
          {words.open}
        </ButtonLink>
      }
    >
      <Stack gap="sm">
        <Text>{words.lead}</Text>
        {last && (
          <>
            <Text>{messages.restore.last({ when: dateTimeText(last.at), made: dateTimeText(last.madeAt) })}</Text>
            <CopyableBlock value={last.keptAside} what={messages.restore.folder} />
          </>
        )}
        {info.data?.host === 'headless' && (
          <>
            <Text>{words.terminal}</Text>
            <CopyableBlock value={words.command} what={messages.common.command} />
          </>
        )}
      </Stack>
    </Card>
  );
}
