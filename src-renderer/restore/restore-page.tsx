import { Center, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BackupContent } from '../../src-shared/operator-contract/restore.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Brand } from '../components/page/brand.tsx';
import { ConnectionBanner } from '../components/page/connection-banner.tsx';
import { AnchorLink } from '../components/page/links.tsx';
import pageClasses from '../components/page/page.module.css';
import { queries } from '../transport/operator-client.ts';
import { ConfirmStep } from './confirm-step.tsx';
import { FileStep } from './file-step.tsx';
import classes from './restore.module.css';

const words = messages.restore;

/**
 * The screen for restoring, on the first run and later: which backup, what is in it, and whether it takes the node's
 * place.
 */
export function RestorePage() {
  const accounts = useQuery(queries.accounts.list.queryOptions({ input: { limit: 1 } }));
  const isShared = typeof useQuery(queries.node.info.queryOptions()).data?.database === 'string';
  const [opened, setOpened] = useState<{ id: string; content: BackupContent }>();
  useDocumentTitle(messages.common.title({ page: words.title, waiting: 0 }));
  const first = accounts.data?.items.length === 0;
  return (
    <Center p="lg" component="main">
      <ConnectionBanner />
      <Stack gap="lg" className={classes.page}>
        <Brand />
        <Stack gap="xs">
          <AnchorLink to={first ? '/welcome' : '/settings'} size="sm" className={pageClasses.up}>
            <IconArrowLeft size={16} aria-hidden />
            {first ? words.toWelcome : words.toSettings}
          </AnchorLink>
          <Title order={1}>{words.title}</Title>
          <Text>{isShared ? messages.settings.sharedBooks.backups : words.lead}</Text>
        </Stack>
        {isShared ? null : opened === undefined ? (
          <FileStep onOpened={(id, content) => setOpened({ id, content })} />
        ) : (
          <ConfirmStep id={opened.id} content={opened.content} onBack={() => setOpened(undefined)} />
        )}
      </Stack>
    </Center>
  );
}
