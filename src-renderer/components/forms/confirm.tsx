import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Failure } from '../page/failure.tsx';

interface ConfirmProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What happens, before it does. */
  words: string;
  action: string;
  /** Whether it takes something away for good. */
  danger?: boolean;
  busy: boolean;
  error: Error | null;
  onConfirm: () => void;
}

/** Asks once more, and stays open with the reason when it could not be done. */
export function Confirm({ opened, onClose, title, words, action, danger = false, busy, error, onConfirm }: ConfirmProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack gap="md">
        <Text>{words}</Text>
        <Failure error={error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {messages.common.cancel}
          </Button>
          <Button color={danger ? 'red' : undefined} loading={busy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
