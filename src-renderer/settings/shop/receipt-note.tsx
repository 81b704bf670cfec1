import { Text } from '@mantine/core';
import { messages } from '../../../src-shared/words/console/messages.ts';

/** What receipts are, and what they do not replace. */
export const ReceiptNote = () => (
  <Text size="sm" c="dimmed">
    {messages.receipts.isNot}
  </Text>
);
