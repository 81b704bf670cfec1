import { Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { NewPairing, PairedTill } from '../../../src-shared/operator-contract/console/tills.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { PayableAccountSelect } from '../../components/forms/account-select.tsx';
import { DialogFoot } from '../../components/forms/dialog-foot.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';

const words = messages.tills;

interface TillDialogProps {
  /** The till that is changed. Without it one is added. */
  till?: PairedTill;
  onClose: () => void;
  onAdded?: (added: NewPairing) => void;
}

/** Adds a till, or changes its name and the account into which it sells. */
export function TillDialog({ till, onClose, onAdded }: TillDialogProps) {
  const [name, setName] = useState(till?.name ?? '');
  const [accountId, setAccountId] = useState(till?.account?.id ?? null);
  const [tried, setTried] = useState(false);
  const chosen = useQuery({ ...queries.requests.accounts.queryOptions({ input: { id: accountId ?? '' } }), enabled: accountId !== null });
  const report = useReporting();
  const add = useMutation(
    queries.tills.add.mutationOptions({
      onSuccess: (added) => {
        onAdded?.(added);
        return report.changed('tills');
      },
      onError: report.failed,
    }),
  );
  const change = useMutation(
    queries.tills.change.mutationOptions({
      onSuccess: (changed) => {
        onClose();
        return report.done(words.saved({ name: changed.name }), 'tills');
      },
      onError: report.failed,
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const typed = { name: name.trim(), accountId };
    if (typed.name === '') return;
    if (till === undefined) add.mutate(typed);
    else change.mutate({ id: till.id, ...typed });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={till === undefined ? words.add : words.changeTitle({ name: till.name })}
      closeOnClickOutside={name === (till?.name ?? '')}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={words.name}
            description={words.nameHint}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={40}
            error={tried && name.trim() === '' ? words.nameNeeded : undefined}
            required
            data-autofocus
          />
          <PayableAccountSelect
            label={words.account}
            placeholder={words.anyAccount}
            clearable
            account={accountId === null ? undefined : chosen.data?.items[0]}
            onAccount={(account) => setAccountId(account?.id ?? null)}
          />
          <DialogFoot
            error={add.error ?? change.error}
            busy={add.isPending || change.isPending}
            action={till === undefined ? words.add : words.save}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
