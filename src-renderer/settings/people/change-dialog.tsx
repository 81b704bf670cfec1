import { Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Person } from '../../../src-shared/operator-contract/console/people.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../../components/forms/dialog-foot.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { NameField } from '../name-field.tsx';
import { nameOf } from './person-name.ts';
import { RoleChoice } from './role-choice.tsx';

const words = messages.people;

/** Changes the name and the role of a person. */
export function ChangeDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const [name, setName] = useState(person.name);
  const [role, setRole] = useState(person.role);
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const onSuccess = async () => {
    onClose();
    await report.done(words.changed({ name: name.trim() }), 'people');
  };
  const change = useMutation(queries.people.change.mutationOptions({ onSuccess, onError: report.failed }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() !== '') change.mutate({ id: person.id, name, ...(role !== person.role && { role }) });
  };
  return (
    <Modal opened onClose={onClose} title={words.changeTitle({ name: nameOf(person) })}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <NameField words={words} name={name} onName={setName} tried={tried} />
          <RoleChoice role={role} onRole={setRole} />
          {role !== person.role && <Text size="sm">{words.changeHint({ name: nameOf(person) })}</Text>}
          <DialogFoot error={change.error} busy={change.isPending} action={words.save} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
