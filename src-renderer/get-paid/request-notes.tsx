import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { PaymentRequest } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../components/forms/dialog-foot.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

const words = messages.getPaid;

/** Lets the operator change the notes for their own books, also after the request has ended. */
export function RequestNotes({ request }: { request: PaymentRequest }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={open} leftSection={<IconPencil size={16} aria-hidden />}>
        {words.notes.edit}
      </Button>
      <Modal opened={opened} onClose={close} title={words.notes.title}>
        <NotesForm request={request} onDone={close} />
      </Modal>
    </>
  );
}

function NotesForm({ request: { id, reference, note }, onDone }: { request: PaymentRequest; onDone: () => void }) {
  const [notes, setNotes] = useState({ reference: reference ?? '', note: note ?? '' });
  const report = useReporting();
  const change = useMutation(
    queries.requests.changeNotes.mutationOptions({
      onSuccess: async () => {
        onDone();
        await report.done(words.notes.saved, 'payments');
      },
      onError: report.failed,
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ id, ...notes });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={words.reference}
          description={words.referenceHint}
          value={notes.reference}
          onChange={({ currentTarget: { value } }) => setNotes({ ...notes, reference: value })}
          maxLength={200}
          data-autofocus
        />
        <TextInput
          label={words.note}
          description={words.noteHint}
          value={notes.note}
          onChange={({ currentTarget: { value } }) => setNotes({ ...notes, note: value })}
          maxLength={500}
        />
        <DialogFoot error={change.error} busy={change.isPending} action={words.notes.save} onClose={onDone} />
      </Stack>
    </form>
  );
}
