import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Budget, Grant } from '../../src-shared/operator-contract/apps.ts';
import { percent } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { BudgetMeter } from '../components/money/budget-meter.tsx';
import { Card } from '../components/page/card.tsx';
import { AnchorLink } from '../components/page/links.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { queries } from '../transport/operator-client.ts';

const words = messages.overview;
/** How much of a budget must be used before it is shown here, in per cent. */
const LOW = 80;
const SHOWN = 4;

interface Low {
  grant: Grant;
  budget: Budget;
  used: number;
}

/** Shows the apps that have nearly used up their budget, the fullest budget first. */
export function LowBudgets() {
  const grants = useQuery(queries.apps.grants.queryOptions({ input: { limit: 100, which: 'allowed' } }));
  const low = (grants.data?.items ?? []).filter(({ state }) => state === 'issued').flatMap(lowOf);
  if (low.length === 0) return null;
  const emptiest = low.toSorted((a, b) => b.used - a.used).slice(0, SHOWN);
  return (
    <Card title={words.budgets}>
      <Stack gap="md">
        {emptiest.map(({ grant, budget }) => (
          <div key={`${grant.id} ${budget.kind}`}>
            <AnchorLink to="/apps/$grantId" params={{ grantId: grant.id }}>
              <InertText text={messages.consent.clientName(grant.client)} expands={false} length={40} />
            </AnchorLink>
            <BudgetMeter budget={budget} />
          </div>
        ))}
        {low.length > SHOWN && (
          <Text size="sm" c="dimmed">
            {words.moreBudgets({ count: low.length - SHOWN })}
          </Text>
        )}
      </Stack>
    </Card>
  );
}

const lowOf = (grant: Grant): Low[] =>
  grant.budgets
    .map((budget) => ({ grant, budget, used: percent(budget.spent.value, budget.limit.value) }))
    .filter(({ used }) => used >= LOW);
