import { messages } from '../../src-shared/words/console/messages.ts';

const words = messages.lock.card;

export const IDLE_CHOICES = { never: 'never', minutes: [1, 5, 15, 60, 240], first: 5 } as const;

/** The choices, with the present one among them. */
export function idleChoices(chosen: number | null): { value: string; label: string }[] {
  const minutes = [...new Set([...IDLE_CHOICES.minutes, ...(chosen === null ? [] : [chosen])])].sort((a, b) => a - b);
  return [...minutes.map((one) => ({ value: String(one), label: words.minutes(one) })), { value: IDLE_CHOICES.never, label: words.never }];
}
