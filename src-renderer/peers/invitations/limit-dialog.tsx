import { Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { MAX_MOVED, toDecimal } from '../../../src-shared/amounts.ts';
import type { Invitation } from '../../../src-shared/operator-contract/peering/invitations.ts';
import { typedAmount } from '../../../src-shared/typed-input/typed-amount.ts';
import { plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { AmountInput } from '../../components/forms/amount-input.tsx';
import { DialogFoot } from '../../components/forms/dialog-foot.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';

const words = messages.invitations;

interface LimitDialogProps {
  invitation: Invitation;
  opened: boolean;
  onClose: () => void;
}

/** Changes the most that the invited node may owe, as long as nobody has used the invitation. */
export function LimitDialog({ invitation, opened, onClose }: LimitDialogProps) {
  const [limit, setLimit] = useState(() => plainNumberText(toDecimal(invitation.creditLimit, invitation.assetScale)));
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const change = useMutation(
    queries.invitations.changeLimit.mutationOptions({
      onSuccess: async () => {
        onClose();
        await report.done(words.limitChanged, 'peers');
      },
    }),
  );
  const typed = typedAmount(limit, invitation);
  const creditLimit = typed !== undefined && typed <= MAX_MOVED ? typed : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (creditLimit !== undefined) change.mutate({ id: invitation.id, creditLimit });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={words.changeLimit}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text>{words.changeLimitWords}</Text>
          <AmountInput
            label={words.limit}
            description={words.limitHint}
            asset={invitation}
            value={limit}
            onChange={setLimit}
            error={tried && creditLimit === undefined ? words.limitNeeded : undefined}
            disabled={change.isPending}
            required
          />
          <DialogFoot error={change.error} busy={change.isPending} action={messages.peers.save} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
