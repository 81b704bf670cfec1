import { Alert, Group, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { ButtonLink } from '../../components/page/links.tsx';

const words = messages.payments;

/** Says why a payment failed and what to do. The operator can pay their own payment again; an app repeats its own. */
export function FailedPayment({ payment }: { payment: PaymentDetail }) {
  const { failure, client, receiver, accountId } = payment;
  if (failure === null || payment.status !== 'failed') return null;
  const own = client === null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={words.failedTitle}>
      <Stack gap="sm">
        <span>
          {words.failureText(failure.code)} {own ? words.adviceOwn : words.adviceFor(failure.code)}
        </span>
        {own && receiver !== null && (
          <Group>
            <ButtonLink to="/pay" search={{ to: receiver, account: accountId }} variant="default" size="xs">
              {words.payAgain}
            </ButtonLink>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
