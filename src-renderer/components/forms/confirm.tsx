import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Failure } from '../page/failure.tsx';

interface ConfirmProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What will happen. */
  words: string;
  action: string;
  /** The words for leaving everything as it is. */
  dismiss?: string;
  /** Whether the act cannot be undone. */
  danger?: boolean;
  busy: boolean;
  /** Whether the operator still has to say something in `children`. */
  disabled?: boolean;
  error: Error | null;
  onConfirm: () => void;
  /** What else the operator may say. */
  children?: ReactNode;
}

/** Asks the operator to confirm an act. When the act fails, the dialog stays open and says why. */
export function Confirm({
  opened,
  onClose,
  title,
  words,
  action,
  dismiss = messages.common.cancel,
  danger = false,
  busy,
  disabled = false,
  error,
  onConfirm,
  children,
}: ConfirmProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack gap="md">
        <Text>{words}</Text>
        {children}
        <Failure error={error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {dismiss}
          </Button>
          <Button color={danger ? 'red' : undefined} loading={busy} disabled={disabled} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
