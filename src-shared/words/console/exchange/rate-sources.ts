import { dateTimeText } from '../../date-text.ts';
import { sourceProblems } from '../../exchange/source-problems.ts';
import { area, extended } from '../../language/language.ts';

const text = area('rateSources');

export const rateSources = extended('rateSources', () => ({
  from: (asOf: Date) => text.from({ asOf: dateTimeText(asOf) }),
  problem: (name: keyof typeof sourceProblems) => sourceProblems[name],
  /** What a source said at the last look. @param count of its rates, with the first */
  said: (first: string, count: number, when: string) =>
    count === 1 ? text.said({ first, when }) : text.saidMore({ first, others: count - 1, when }),
}));
