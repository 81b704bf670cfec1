import { Alert, Button, Group, Stack } from '@mantine/core';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Card } from '../components/page/card.tsx';
import { Copyable } from '../components/text/copyable.tsx';
import { Facts } from '../components/text/facts.tsx';
import { SelfFacts } from './self-facts.tsx';

const words = messages.peers;

/** Shows what the peer's operator needs to reach this node, with the token that is shown only once. */
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
