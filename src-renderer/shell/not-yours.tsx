import { Center, Stack, Text, Title } from '@mantine/core';
import { type Audience, managers, owner, readers } from '../../src-shared/people/roles.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { ButtonLink } from '../components/page/links.tsx';
import { useStateCell } from '../transport/state-cell.ts';
import { you } from '../transport/you.ts';

const words = messages.people.notYours;

function sentenceOf(may: Audience): string {
  if (may === owner) return words.owner;
  if (may === managers) return words.managers;
  return may === readers ? words.readers : words.till;
}

/** What is shown at an address that the person's role does not open: who may open it. */
export function NotYours({ may }: { may: Audience }) {
  const role = useStateCell(you)?.role;
  return (
    <Center mih="60dvh" p="lg">
      <Stack align="center" gap="sm">
        <Title order={1} ta="center">
          {words.title}
        </Title>
        <Text c="dimmed" ta="center">
          {sentenceOf(may)} {role !== undefined && words.asRole({ role: messages.people.roles[role] })}
        </Text>
        <ButtonLink to="/">{words.action}</ButtonLink>
      </Stack>
    </Center>
  );
}
