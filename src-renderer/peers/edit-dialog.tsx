import { Modal, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Peer } from '../../src-shared/operator-contract/peers.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { DialogFoot } from '../components/forms/dialog-foot.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { draftOf, type PeerDraft, readDraft } from './peer-draft.ts';
import { FurtherFields, LimitFields, TheirFields } from './peer-fields.tsx';

const words = messages.peers;

/** Changes what is agreed with a peer. The currency cannot be changed. */
export function EditDialog({ peer, opened, onClose }: { peer: Peer; opened: boolean; onClose: () => void }) {
  const [draft, setDraft] = useState<PeerDraft>(() => draftOf(peer));
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const edit = useMutation(
    queries.peers.edit.mutationOptions({
      onSuccess: async () => {
        onClose();
        await report.done(words.saved, 'peers');
      },
    }),
  );
  const { faults, settings } = readDraft(draft, peer, false);
  const token = draft.outgoingToken.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (settings !== undefined) edit.mutate({ id: peer.id, ...settings, ...(token !== '' && { outgoingToken: token }) });
  };
  const fields = {
    draft,
    faults: tried ? faults : {},
    disabled: edit.isPending,
    onChange: (change: Partial<PeerDraft>) => setDraft((before) => ({ ...before, ...change })),
  };
  return (
    <Modal opened={opened} onClose={onClose} title={words.editTitle({ name: inertText(peer.name) })} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={words.name}
            value={draft.name}
            onChange={(event) => fields.onChange({ name: event.currentTarget.value })}
            error={fields.faults.name}
            maxLength={100}
            disabled={edit.isPending}
            required
          />
          <LimitFields {...fields} asset={peer} />
          <TheirFields {...fields} keepsToken />
          <FurtherFields {...fields} asset={peer} />
          <DialogFoot error={edit.error} busy={edit.isPending} action={words.save} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
