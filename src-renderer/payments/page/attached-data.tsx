import { Code, Text } from '@mantine/core';
import type { PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertJson, inertText } from '../../../src-shared/words/inert-text.ts';
import { Card } from '../../components/page/card.tsx';
import { Facts } from '../../components/text/facts.tsx';
import { InertText } from '../../components/text/inert-text.tsx';
import classes from './payment-page.module.css';

const words = messages.payments;

/** Shows the metadata that the payment's creator attached, under its own names. A nested value is shown as it came. */
export function AttachedData({ payment }: { payment: Pick<PaymentDetail, 'metadata' | 'client' | 'reference'> }) {
  const { metadata, client, reference } = payment;
  // A public reference is shown among the facts, unless the operator's own one stands there.
  const entries = Object.entries(metadata ?? {}).filter(([name, value]) => name !== 'externalRef' || value !== reference);
  return (
    <Card title={client === null ? words.metadataOwn : words.metadata}>
      {entries.length === 0 ? (
        <Text c="dimmed">{words.noMetadata}</Text>
      ) : (
        <Facts
          facts={entries.map(([name, value]) => [
            name === 'description' ? words.metadataDescription : inertText(name),
            typeof value === 'object' && value !== null ? (
              <Code key={name} block className={classes.metadata} tabIndex={0}>
                <bdi>{inertJson(value)}</bdi>
              </Code>
            ) : (
              <InertText key={name} text={String(value)} length={200} />
            ),
          ])}
        />
      )}
    </Card>
  );
}
