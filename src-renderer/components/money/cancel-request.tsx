import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaymentRequest } from '../../../src-shared/operator-contract/payments/payment-requests.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { Confirm } from '../forms/confirm.tsx';

const words = messages.getPaid;

interface CancelRequestProps {
  request: PaymentRequest;
  opened: boolean;
  onClose: () => void;
}

/** Asks whether to cancel a payment request, and for a reason that the payer reads. */
export function CancelRequest({ request, opened, onClose }: CancelRequestProps) {
  const [reason, setReason] = useState('');
  const report = useReporting();
  const cancel = useMutation(
    queries.requests.cancel.mutationOptions({
      onSuccess: async (answer) => {
        onClose();
        await report.done(answer.status === 'paid' ? words.cancelling.paidBefore : messages.payments.cancelled, 'payments');
      },
      onError: report.failed,
    }),
  );
  const { progress, id } = request;
  const typed = reason.trim();
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={messages.payments.cancelTitle}
      words={progress.value === 0n ? words.cancelling.wordsNothing : words.cancelling.wordsPartly({ received: amountText(progress) })}
      action={messages.payments.cancel}
      dismiss={messages.payments.cancelNot}
      danger
      busy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate({ id, ...(typed !== '' && { reason: typed }) })}
    >
      <TextInput
        label={words.cancelling.reason}
        description={words.cancelling.reasonHint}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={200}
        disabled={cancel.isPending}
      />
    </Confirm>
  );
}
