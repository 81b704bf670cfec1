import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Brand } from '../components/page/brand.tsx';
import { CopyableBlock } from '../components/text/copyable-block.tsx';
import { dataFolder } from '../transport/data-folder.ts';

const words = messages.common.session;

/** Says how to open the console. */
export function NoSession({ linkRefused }: { linkRefused: boolean }) {
  const title = linkRefused ? words.refusedTitle : words.noneTitle;
  useDocumentTitle(messages.common.title({ page: title, waiting: 0 }));
  return (
    <Center mih="100dvh" p="lg" component="main">
      <Stack maw={460} gap="md">
        <Brand />
        <Title order={1} mt="sm">
          {title}
        </Title>
        <Text>{linkRefused ? words.refusedAdvice : words.noneAdvice}</Text>
        <CopyableBlock value={words.command(dataFolder)} what={messages.common.command} />
        <Text c="dimmed" size="sm">
          {messages.people.askOwner}
        </Text>
        {linkRefused && (
          <Text c="dimmed" size="sm">
            {words.already}
          </Text>
        )}
        <Button variant="default" w="fit-content" onClick={() => location.reload()}>
          {linkRefused ? words.goOn : messages.common.tryAgain}
        </Button>
      </Stack>
    </Center>
  );
}
