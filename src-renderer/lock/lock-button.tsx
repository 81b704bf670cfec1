import { ActionIcon, Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { messages } from '../../src-shared/words/console/messages.ts';
import { lockState } from '../transport/lock-state.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { useStateCell } from '../transport/state-cell.ts';

/**
 * Locks the console at once. The button is there only when the console has a passphrase.
 * @param props.compact whether only an icon is shown
 */
export function LockButton({ compact = false }: { compact?: boolean }) {
  const lock = useStateCell(lockState);
  const report = useReporting();
  const lockNow = useMutation(queries.lock.now.mutationOptions({ onSuccess: (next) => lockState.set(next), onError: report.failed }));
  if (lock?.protected !== true) return null;
  const press = () => lockNow.mutate(undefined);
  if (compact) {
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={messages.lock.lockNow}
        title={messages.lock.lockTitle}
        onClick={press}
      >
        <IconLock size={20} stroke={1.7} aria-hidden />
      </ActionIcon>
    );
  }
  return (
    <Button variant="default" mt="md" leftSection={<IconLock size={18} aria-hidden />} onClick={press}>
      {messages.lock.lockNow}
    </Button>
  );
}
