import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PaymentRequest } from '../../../src-shared/operator-contract/payments/payment-requests.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { queries } from '../../transport/operator-client.ts';
import { Card } from '../page/card.tsx';
import { ClaimCards } from './claim-card.tsx';
import { RefundPayment } from './refund-payment.tsx';
import { RefundsCard } from './refunds-card.tsx';

const words = messages.payments.refund;
/** A cashier hears of no outgoing payment, so the page asks whether a refund is done. */
const ASK_AGAIN_MS = 2_000;

/** The payers and refunds of a request that has received something. */
const useRefundsOf = ({ id, progress }: PaymentRequest) =>
  useQuery({
    ...queries.refunds.of.queryOptions({ input: { paymentId: id } }),
    enabled: progress.value > 0n,
    refetchInterval: ({ state: { data } }) => (data?.refunds.some(({ state }) => state === 'pending') ? ASK_AGAIN_MS : false),
  });

/** Refunds a paid request, for whom that is allowed. */
export function RefundRequest({ request }: { request: PaymentRequest }) {
  const { data } = useRefundsOf(request);
  return data === undefined ? null : <RefundPayment payment={{ ...request, ...data }} />;
}

/** The claim links of a request that somebody unknown may have paid. */
export function RequestClaims({ request }: { request: PaymentRequest }) {
  const { data } = useRefundsOf(request);
  return data === undefined ? null : <ClaimCards payment={{ ...request, ...data }} />;
}

/** What was refunded of a request, or why the person at the page may refund nothing of it. */
export function RequestRefunds({ request }: { request: PaymentRequest }) {
  const { data } = useRefundsOf(request);
  if (data === undefined) return null;
  const { allowance, payers, refunds } = data;
  if (refunds.length > 0) return <RefundsCard payment={{ ...request, ...data }} />;
  if (allowance.refusal === null || payers.length === 0) return null;
  return (
    <Card title={words.heading}>
      <Text c="dimmed">{words.refusals[allowance.refusal]}</Text>
    </Card>
  );
}
