import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { Facts } from '../../components/text/facts.tsx';

const words = messages.apiKeys;

/** Hands over the value of a key. Nothing shows it again, so a click beside the dialog does not close it. */
export function KeyValue({ name, value, onClose }: { name: string; value: string; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={words.madeTitle({ name })} closeOnClickOutside={false} closeOnEscape={false}>
      <Stack gap="md">
        <Alert color="orange" data-notice>
          {words.once}
        </Alert>
        <Facts facts={[[words.value, <Copyable key="value" value={value} what={words.value} literal />]]} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{words.done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
