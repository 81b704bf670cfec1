import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconHelpHexagon } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Confirm } from '../../components/forms/confirm.tsx';
import { Allowed } from '../../components/page/allowed.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { openMoney } from './open-money.ts';

const words = messages.payments;

/** Shows money whose fate no peer can tell any more. The operator finds out what became of it and tells the node. */
export function UnknownPayment({ payment }: { payment: PaymentDetail }) {
  const [asking, setAsking] = useState<'arrived' | 'not_arrived'>();
  const report = useReporting();
  const resolve = useMutation(
    queries.payments.resolve.mutationOptions({
      onSuccess: async () => {
        setAsking(undefined);
        await report.done(words.resolved, 'payments', 'accounts');
      },
    }),
  );
  if (payment.status !== 'unknown') return null;
  const open = openMoney(payment);
  const arrived = asking === 'arrived';
  return (
    <Alert color="orange" data-notice icon={<IconHelpHexagon aria-hidden />} title={words.unknownTitle}>
      <Stack gap="sm">
        <span>{open.sentence}</span>
        <Allowed to="payments.resolve">
          <Group gap="sm">
            <Button variant="default" size="xs" onClick={() => setAsking('arrived')}>
              {words.didArrive}
            </Button>
            <Button variant="default" size="xs" onClick={() => setAsking('not_arrived')}>
              {words.notArrived}
            </Button>
          </Group>
        </Allowed>
      </Stack>
      <Confirm
        opened={asking !== undefined}
        onClose={() => {
          setAsking(undefined);
          resolve.reset();
        }}
        title={arrived ? words.arrivedQuestion : words.notArrivedQuestion}
        words={arrived ? open.arrivedWords : words.notArrivedWords({ amount: open.amount })}
        action={arrived ? words.didArrive : words.notArrived}
        danger={!arrived}
        busy={resolve.isPending}
        error={resolve.error}
        onConfirm={() => asking !== undefined && resolve.mutate({ id: payment.id, outcome: asking })}
      />
    </Alert>
  );
}
