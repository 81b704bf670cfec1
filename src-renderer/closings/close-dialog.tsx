import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

const words = messages.closings;

/** Closes the day after a question. However often it is confirmed, the day is closed once. */
export function CloseDialog({ last, onClose }: { last: number; onClose: () => void }) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [seen] = useState(last);
  const navigate = useNavigate();
  const report = useReporting();
  const close = useMutation(
    queries.closings.close.mutationOptions({
      onSuccess: async ({ number }) => {
        await report.done(words.closed({ number: String(number) }), 'payments');
        await navigate({ to: '/closings/$number', params: { number: String(number) } });
      },
      onError: report.failed,
    }),
  );
  return (
    <Confirm
      opened
      onClose={onClose}
      title={words.closeTitle}
      words={words.closeWords}
      action={words.close}
      busy={close.isPending}
      error={close.error}
      onConfirm={() => close.mutate({ requestId, last: seen })}
    />
  );
}
