import { Alert, Button, Group, Stack } from '@mantine/core';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Card } from '../components/page/card.tsx';
import { Copyable } from '../components/text/copyable.tsx';
import { Facts } from '../components/text/facts.tsx';
import { SelfFacts } from './self-facts.tsx';

const words = messages.peers;

/** What the other side needs to reach this node, with the token that is never shown again. */
export function GiveThem({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <Card title={words.giveTitle} accent>
      <Stack gap="md">
        <Alert color="orange" data-notice>
          {words.giveOnce}
        </Alert>
        <Facts facts={[[words.token, <Copyable key="token" value={token} what={words.token} literal />]]} />
        <SelfFacts />
        <Group justify="flex-end">
          <Button onClick={onDone}>{words.finish}</Button>
        </Group>
      </Stack>
    </Card>
  );
}
