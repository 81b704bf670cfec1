import { UnstyledButton } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { messages } from '../messages.ts';
import { queries } from '../operator-client.ts';
import { useReporting } from '../reporting.ts';
import { useStateCell } from '../state-cell.ts';
import classes from './lock.module.css';
import { lockState } from './lock-state.ts';

/** Locks the console at once; it is there when there is a passphrase to open it again with. */
export function LockButton() {
  const lock = useStateCell(lockState);
  const report = useReporting();
  const lockNow = useMutation(queries.lock.now.mutationOptions({ onSuccess: (next) => lockState.set(next), onError: report.failed }));
  if (lock?.protected !== true) return null;
  return (
    <UnstyledButton className={classes.button} onClick={() => lockNow.mutate(undefined)}>
      <IconLock size={20} stroke={1.7} aria-hidden />
      <span>{messages.lock.lockNow}</span>
    </UnstyledButton>
  );
}
