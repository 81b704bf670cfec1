import { Group, Progress, Text } from '@mantine/core';
import type { Budget } from '../../src-shared/operator-contract/access.ts';
import { amountText, percent } from '../../src-shared/words/amount-text.ts';
import { utcText } from '../../src-shared/words/date-text.ts';
import { messages } from '../messages.ts';

const words = messages.apps;

/** How much of a limit is used in its current window, and when it is full again. */
export function BudgetMeter({ budget, detailed = false }: { budget: Budget; detailed?: boolean }) {
  const { limit, spent, kind, windowStart, windowEnd } = budget;
  const used = percent(spent.value, limit.value);
  const kindWords = words.budgetKinds[kind];
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm">
          {detailed && `${kindWords}: `}
          {words.spent(amountText(spent), amountText(limit))}
        </Text>
        <Text size="sm" c="dimmed">
          {windowEnd === null ? words.never : words.resets(utcText(windowEnd))}
        </Text>
      </Group>
      <Progress.Root size="md">
        <Progress.Section value={used} aria-label={words.meter(kindWords)} color={used >= 90 ? 'orange' : undefined} />
      </Progress.Root>
      {detailed && windowStart !== null && windowEnd !== null && (
        <Text size="sm" c="dimmed" mt={6}>
          {words.window(utcText(windowStart), utcText(windowEnd))}
        </Text>
      )}
    </div>
  );
}
