import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { Payment } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Confirm } from '../../components/forms/confirm.tsx';
import { incomingAt } from '../../components/money/payment-state.tsx';
import { useNodeTime } from '../../transport/node-clock.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { useMayCall } from '../../transport/you.ts';

const words = messages.payments;

/** Lets the operator close a payment that still takes money. One without any is cancelled. */
export function CompletePayment({ payment }: { payment: Payment & { expiresAt: Date | null } }) {
  const [asking, { open, close }] = useDisclosure(false);
  const isForYou = useMayCall('payments.complete');
  const report = useReporting();
  const now = useNodeTime(1_000);
  const isEmpty = payment.progress.value === 0n;
  const complete = useMutation(
    queries.payments.complete.mutationOptions({
      onSuccess: async () => {
        close();
        await report.done(isEmpty ? words.cancelled : words.completed, 'payments', 'requests');
      },
      onError: report.failed,
    }),
  );
  if (!isForYou || payment.direction === 'out' || !incomingAt(payment, now).isOpen) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        {isEmpty ? words.cancel : words.complete}
      </Button>
      <Confirm
        opened={asking}
        onClose={close}
        title={isEmpty ? words.cancelTitle : words.completeTitle}
        words={isEmpty ? words.cancelWords : words.completeWords({ received: amountText(payment.progress) })}
        action={isEmpty ? words.cancel : words.complete}
        dismiss={isEmpty ? words.cancelNot : undefined}
        busy={complete.isPending}
        error={complete.error}
        onConfirm={() => complete.mutate({ id: payment.id })}
      />
    </>
  );
}
