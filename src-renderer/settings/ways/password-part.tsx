import { Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Confirm } from '../../components/forms/confirm.tsx';
import { PasswordForm } from '../../components/sign-in/password-form.tsx';
import { RecoveryCodes } from '../../components/sign-in/recovery-codes.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import { you } from '../../transport/you.ts';
import classes from '../settings.module.css';

const words = messages.ways;

interface Password {
  signInName: string;
  isPaused: boolean;
  recoveryCodesLeft: number;
}

/** The password of the person at this page, with its recovery codes. */
export function PasswordPart({ password }: { password: Password | null }) {
  const [asking, setAsking] = useState<'set' | 'remove' | 'renew'>();
  const [codes, setCodes] = useState<readonly string[]>();
  const report = useReporting();
  const name = useStateCell(you)?.person?.name ?? '';
  const close = () => setAsking(undefined);
  const show = async (made: readonly string[]) => {
    close();
    setCodes(made);
    await report.changed('people');
  };
  const removed = async () => {
    close();
    await report.done(words.password.removed, 'people');
  };
  const remove = useMutation(queries.ways.removePassword.mutationOptions({ onSuccess: removed, onError: report.failed }));
  const renew = useMutation(
    queries.ways.renewRecoveryCodes.mutationOptions({ onSuccess: (made) => show(made.codes), onError: report.failed }),
  );
  return (
    <Stack gap="sm" className={classes.schedule}>
      <Title order={3} className={classes.heading}>
        {words.password.title}
      </Title>
      {password === null && <Text c="dimmed">{words.password.lead}</Text>}
      {password !== null && <Standing password={password} />}
      <Group gap="xs">
        <Button variant="default" onClick={() => setAsking('set')}>
          {password === null ? words.password.set : words.password.replace}
        </Button>
        {password !== null && (
          <>
            <Button variant="default" onClick={() => setAsking('renew')}>
              {words.codes.renew}
            </Button>
            <Button variant="default" onClick={() => setAsking('remove')}>
              {words.password.remove}
            </Button>
          </>
        )}
      </Group>
      <Modal
        opened={asking === 'set'}
        onClose={close}
        title={password === null ? words.password.set : words.password.replace}
        closeOnClickOutside={false}
      >
        <PasswordForm preset={password?.signInName ?? name} onSet={(made) => void show(made)} onCancel={close} />
      </Modal>
      {codes !== undefined && (
        <Modal opened onClose={() => setCodes(undefined)} title={words.codes.title} closeOnClickOutside={false} closeOnEscape={false}>
          <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
        </Modal>
      )}
      <Confirm
        opened={asking === 'renew'}
        onClose={close}
        title={words.codes.renewTitle}
        words={words.codes.renewWords}
        action={words.codes.renew}
        busy={renew.isPending}
        error={renew.error}
        onConfirm={() => renew.mutate({})}
      />
      <Confirm
        opened={asking === 'remove'}
        onClose={close}
        title={words.password.removeTitle}
        words={words.password.removeWords}
        action={words.password.remove}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({})}
      />
    </Stack>
  );
}

function Standing({ password: { signInName, isPaused, recoveryCodesLeft } }: { password: Password }) {
  return (
    <div>
      <Text>{words.password.have({ name: signInName })}</Text>
      <Text size="sm" c="dimmed">
        {isPaused ? words.paused : words.password.left({ count: recoveryCodesLeft })}
      </Text>
    </div>
  );
}
