import { Group, Progress, Text } from '@mantine/core';
import type { Budget } from '../../../src-shared/operator-contract/apps.ts';
import { amountText, percent } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { utcText } from '../../../src-shared/words/date-text.ts';
import { Status, type Tone } from '../page/status.tsx';

const words = messages.apps;

/** A warning stands beside a limit of which these parts are used, in per cent. The last one is the whole limit. */
const HALF = 50;
const LOW = 80;

type Level = keyof typeof words.levels;
const LEVEL_TONES: Readonly<Record<Level, Tone>> = { half: 'busy', low: 'warning', empty: 'bad' };

function levelOf(used: number, all: boolean): Level | undefined {
  if (all) return 'empty';
  if (used >= LOW) return 'low';
  return used >= HALF ? 'half' : undefined;
}

/** Shows how much of a limit is used in its current window, and when the limit starts again. */
export function BudgetMeter({ budget, detailed = false }: { budget: Budget; detailed?: boolean }) {
  const { limit, spent, kind, windowStart, windowEnd } = budget;
  const used = percent(spent.value, limit.value);
  const kindWords = words.budgetKinds[kind];
  const level = levelOf(used, spent.value >= limit.value);
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm">
          {detailed && `${kindWords}${messages.common.colon} `}
          {words.spent({ spent: amountText(spent), limit: amountText(limit) })}
        </Text>
        <Text size="sm" c="dimmed">
          {windowEnd === null ? words.never : words.resets({ when: utcText(windowEnd) })}
        </Text>
      </Group>
      <Progress.Root size="md">
        <Progress.Section value={used} aria-label={words.meter({ kind: kindWords })} color={used >= LOW ? 'orange' : undefined} />
      </Progress.Root>
      {level !== undefined && (
        <Text size="sm" mt={4} component="div">
          <Status tone={LEVEL_TONES[level]}>{words.levels[level]}</Status>
        </Text>
      )}
      {detailed && windowStart !== null && windowEnd !== null && (
        <Text size="sm" c="dimmed" mt={6}>
          {words.window({ start: utcText(windowStart), end: utcText(windowEnd) })}
        </Text>
      )}
    </div>
  );
}
