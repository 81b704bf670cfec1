import { Center, Stack, Text, Title } from '@mantine/core';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { ButtonLink } from './links.tsx';

const words = messages.common.notFound;

/** What is shown for an address that leads nowhere. */
export function Missing() {
  return (
    <Center mih="60dvh" p="lg">
      <Stack align="center" gap="sm">
        <Title order={1} ta="center">
          {words.title}
        </Title>
        <Text c="dimmed" ta="center">
          {words.advice}
        </Text>
        <ButtonLink to="/">{words.action}</ButtonLink>
      </Stack>
    </Center>
  );
}
