import { Alert, Button, Group, Select, Stack } from '@mantine/core';
import { IconHelpHexagon } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Confirm } from '../../components/forms/confirm.tsx';
import { Allowed } from '../../components/page/allowed.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { openMoney } from './open-money.ts';
import { partAmounts } from './part-amounts.ts';

const words = messages.payments;

type Outcome = 'arrived' | 'not_arrived' | 'part';

/** Shows money whose fate no peer can tell any more. The operator finds out what became of it and tells the node. */
export function UnknownPayment({ payment }: { payment: PaymentDetail }) {
  const [asking, setAsking] = useState<Outcome>();
  const parts = partAmounts(payment.openPackets.map(({ amount }) => amount.value));
  const [part, setPart] = useState<string | null>(null);
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
  const { id } = payment;
  const texts = {
    arrived: { title: words.arrivedQuestion, words: open.arrivedWords, action: words.didArrive },
    not_arrived: { title: words.notArrivedQuestion, words: words.notArrivedWords({ amount: open.amount }), action: words.notArrived },
    part: { title: words.partQuestion, words: words.partWords({ amount: open.amount }), action: words.partArrived },
  }[asking ?? 'arrived'];
  const say = () => {
    if (asking === 'part' && part !== null) resolve.mutate({ id, outcome: asking, arrived: BigInt(part) });
    else if (asking !== undefined && asking !== 'part') resolve.mutate({ id, outcome: asking });
  };
  const button = (outcome: Outcome, text: string) => (
    <Button variant="default" size="xs" onClick={() => setAsking(outcome)}>
      {text}
    </Button>
  );
  return (
    <Alert color="orange" data-notice icon={<IconHelpHexagon aria-hidden />} title={words.unknownTitle}>
      <Stack gap="sm">
        <span>{open.sentence}</span>
        <Allowed to="payments.resolve">
          <Group gap="sm">
            {button('arrived', words.didArrive)}
            {parts.length > 0 && button('part', words.partArrived)}
            {button('not_arrived', words.notArrived)}
          </Group>
        </Allowed>
      </Stack>
      <Confirm
        opened={asking !== undefined}
        onClose={() => {
          setAsking(undefined);
          resolve.reset();
        }}
        {...texts}
        danger={asking !== 'arrived'}
        busy={resolve.isPending}
        disabled={asking === 'part' && part === null}
        error={resolve.error}
        onConfirm={say}
      >
        {asking === 'part' && (
          <Select
            label={words.partLabel}
            data={parts.map((value) => ({ value: value.toString(), label: amountText({ ...payment.progress, value }) }))}
            value={part}
            onChange={setPart}
            required
          />
        )}
      </Confirm>
    </Alert>
  );
}
