import { Alert } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import type { PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';

/** Shows the money in packets that a peer has not answered, while the node still finds out what became of it. */
export function HeldMoney({ payment: { status, held, openPackets } }: { payment: PaymentDetail }) {
  if ((status !== 'retrying' && status !== 'settling') || held === null || openPackets.length === 0) return null;
  const reasons = [...new Set(openPackets.map((packet) => inertText(messages.payments.openPacketText(packet))))];
  return (
    <Alert color="gray" icon={<IconHourglass aria-hidden />} title={messages.payments.heldTitle({ amount: amountText(held) })}>
      {reasons.join(' ')}
    </Alert>
  );
}
