import { Button, Group } from '@mantine/core';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Failure } from '../page/failure.tsx';

interface DialogFootProps {
  /** Why what the dialog does has failed. It is null while it has not. */
  error: Error | null;
  busy: boolean;
  /** What the button says that sends the form. */
  action: string;
  onClose: () => void;
  /** Whether the act cannot be undone. */
  danger?: boolean;
  disabled?: boolean;
}

/** Stands below the fields of a dialog's form: why it failed, the way out, and the button that sends the form. */
export function DialogFoot({ error, busy, action, onClose, danger = false, disabled = false }: DialogFootProps) {
  return (
    <>
      <Failure error={error} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {messages.common.cancel}
        </Button>
        <Button type="submit" color={danger ? 'red' : undefined} loading={busy} disabled={disabled}>
          {action}
        </Button>
      </Group>
    </>
  );
}
