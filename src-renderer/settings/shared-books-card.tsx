import { Stack, Text } from '@mantine/core';
import { messages } from '../../src-shared/words/console/messages.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { Card } from '../components/page/card.tsx';

const words = messages.settings.sharedBooks;

/** Says where the books are that are not in the data folder, and who makes backups of them. */
export function SharedBooksCard({ database }: { database: string }) {
  return (
    <Card title={words.title}>
      <Stack gap="sm">
        <Text>{words.lead({ database: inertText(database) })}</Text>
        <Text>{words.backups}</Text>
        <Text>{words.checks}</Text>
      </Stack>
    </Card>
  );
}
