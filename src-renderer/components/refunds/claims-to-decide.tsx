import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { hostAndPath } from '../../../src-shared/words/inert-text.ts';
import { queries } from '../../transport/operator-client.ts';
import { Card } from '../page/card.tsx';
import { ButtonLink } from '../page/links.tsx';

const words = messages.claims;

/** The claim links that wait for a decision. Nothing is shown while none does. */
export function ClaimsToDecide() {
  const { data } = useQuery(queries.claims.waiting.queryOptions());
  const { items = [], count = 0 } = data ?? {};
  if (items.length === 0) return null;
  return (
    <Card title={words.waiting({ count })} accent>
      <Text size="sm" c="dimmed" mb="sm">
        {words.waitingAdvice}
      </Text>
      {items.map(({ id, amount, paymentId, wallet }) => (
        <Group key={id} justify="space-between" gap="sm" mb="xs">
          <Text fw={550}>
            {amountText(amount)}
            {wallet !== null && ` · ${hostAndPath(wallet.payer)}`}
          </Text>
          <ButtonLink to="/payments/$id" params={{ id: paymentId }} size="xs" variant="default">
            {words.look}
          </ButtonLink>
        </Group>
      ))}
      {count > items.length && <Text size="sm">{words.waitingMore({ count: count - items.length })}</Text>}
    </Card>
  );
}
