import { Button, type ButtonProps } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import type { Receipt } from '../../../src-shared/operator-contract/shop/receipts.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { useNodeTime } from '../../transport/node-clock.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { useMayCall } from '../../transport/you.ts';
import { ButtonLink } from '../page/links.tsx';
import { incomingAt } from './payment-state.tsx';

interface ReceiptButtonProps extends Pick<Receipt, 'kind' | 'id'>, Pick<ButtonProps, 'variant' | 'size'> {
  text?: string;
}

/** Leads to the receipt of a payment or refund. The first time it has the receipt issued, for whoever may do that. */
export function ReceiptButton({ kind, id, text = messages.receipts.button, variant = 'default', size = 'sm' }: ReceiptButtonProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const report = useReporting();
  const mayIssue = useMayCall('receipts.issue');
  const issue = useMutation(
    queries.receipts.issue.mutationOptions({
      onSuccess: (receipt) => {
        queryClient.setQueryData(queries.receipts.get.queryKey({ input: { kind, id } }), receipt);
        void navigate({ to: '/receipts/$kind/$id', params: { kind, id } });
      },
      onError: report.failed,
    }),
  );
  const look = { variant, size, leftSection: <IconReceipt size={18} aria-hidden /> };
  if (!mayIssue)
    return text === messages.receipts.button ? (
      <ButtonLink to="/receipts/$kind/$id" params={{ kind, id }} {...look}>
        {text}
      </ButtonLink>
    ) : null;
  return (
    <Button {...look} loading={issue.isPending} onClick={() => issue.mutate({ kind, id })}>
      {text}
    </Button>
  );
}

/** The receipt of a received payment, once money has come and it takes no more. */
export function PaymentReceipt({ payment }: { payment: Pick<PaymentDetail, 'id' | 'progress'> & Parameters<typeof incomingAt>[0] }) {
  const { isOpen } = incomingAt(payment, useNodeTime(1_000));
  return isOpen || payment.progress.value === 0n ? null : <ReceiptButton kind="sale" id={payment.id} />;
}
