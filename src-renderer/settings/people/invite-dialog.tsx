import { Modal, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Role } from '../../../src-shared/people/roles.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../../components/forms/dialog-foot.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { NameField } from '../name-field.tsx';
import { RoleChoice } from './role-choice.tsx';
import { SignInLink } from './sign-in-link.tsx';

const words = messages.people;

/** Invites a person, and hands over the link by which they sign in. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('cashier');
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const onSuccess = () => report.changed('people');
  const invite = useMutation(queries.people.invite.mutationOptions({ onSuccess, onError: report.failed }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() !== '') invite.mutate({ name, role });
  };
  if (invite.data !== undefined) return <SignInLink link={invite.data} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={words.inviteTitle} closeOnClickOutside={name === ''}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <NameField words={words} name={name} onName={setName} tried={tried} />
          <RoleChoice role={role} onRole={setRole} />
          <DialogFoot error={invite.error} busy={invite.isPending} action={words.invite} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
