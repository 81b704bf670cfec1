import { Text } from '@mantine/core';
import type { Payee } from '../../src-shared/operator-contract/payments/paying.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { hostAndPath } from '../../src-shared/words/inert-text.ts';
import { Facts } from '../components/text/facts.tsx';
import { InertText } from '../components/text/inert-text.tsx';

const words = messages.pay;

/** Shows who will be paid: first the address, because it is certain, then the name that the payee has chosen. */
export function PayeeFacts({ payee }: { payee: Payee }) {
  return (
    <>
      <Facts
        facts={[
          [words.address, <InertText key="address" text={hostAndPath(payee.url)} length={120} />],
          [words.nameSaid, payee.name === null ? null : <InertText key="name" text={payee.name} />],
          [words.asked, payee.asked && amountText(payee.asked)],
          [words.paidIn, payee.asked === null ? payee.asset.assetCode : null],
        ]}
      />
      {payee.own && (
        <Text size="sm" c="dimmed">
          {words.yours}
        </Text>
      )}
    </>
  );
}
