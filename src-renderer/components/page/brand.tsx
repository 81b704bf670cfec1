import { Group, Text } from '@mantine/core';
import { messages } from '../../../src-shared/words/console/messages.ts';

export function Brand() {
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/favicon.svg" alt="" width={28} height={28} />
      <Text fw={700} fz="lg" lh={1}>
        {messages.common.product}
      </Text>
    </Group>
  );
}
