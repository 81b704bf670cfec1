import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { NewLink } from '../../../src-shared/operator-contract/console/people.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { Facts } from '../../components/text/facts.tsx';

const words = messages.people;

/** Hands a sign-in link over. Nothing shows it again, so a click beside the dialog does not close it. */
export function SignInLink({ link: { name, secret, consoleUrl }, onClose }: { link: NewLink; onClose: () => void }) {
  const url = `${consoleUrl ?? location.origin}/#link=${secret}`;
  return (
    <Modal opened onClose={onClose} title={words.linkTitle({ name })} closeOnClickOutside={false} closeOnEscape={false}>
      <Stack gap="md">
        <Text>{(consoleUrl === null ? words.linkWords : words.linkWordsElsewhere)({ name })}</Text>
        <Facts facts={[[words.link, <Copyable key="link" value={url} what={words.link} literal />]]} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{words.linkDone}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
