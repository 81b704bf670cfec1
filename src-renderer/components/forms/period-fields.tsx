import { Select, Stack, TextInput } from '@mantine/core';
import type { Day } from '../../../src-shared/calendar.ts';
import {
  isPeriod,
  monthOf,
  monthPeriod,
  type Period,
  quarterOfDay,
  quarterPeriod,
  yearPeriod,
} from '../../../src-shared/statements/period.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { FieldPair } from './field-pair.tsx';

const words = messages.statements;

const CHOICES = ['lastMonth', 'thisMonth', 'lastQuarter', 'thisQuarter', 'lastYear', 'thisYear', 'other'] as const;
type Choice = (typeof CHOICES)[number];

/** The period as it was chosen: one that follows the calendar, or two days that were typed. */
interface ChosenPeriod {
  readonly choice: Choice;
  readonly from: string;
  readonly to: string;
}

export const LAST_MONTH: ChosenPeriod = { choice: 'lastMonth', from: '', to: '' };
export const THIS_MONTH: ChosenPeriod = { ...LAST_MONTH, choice: 'thisMonth' };

const MONTHS_OF_QUARTER = 3;

/** The days that were chosen. It is undefined while they are none. @param today the day of the shop */
export function daysOf({ choice, from, to }: ChosenPeriod, today: Day): Period | undefined {
  switch (choice) {
    case 'lastMonth':
      return monthPeriod(monthOf(today, 1));
    case 'thisMonth':
      return monthPeriod(monthOf(today));
    case 'lastQuarter':
      return quarterPeriod(quarterOfDay(`${monthOf(today, MONTHS_OF_QUARTER)}-01`));
    case 'thisQuarter':
      return quarterPeriod(quarterOfDay(today));
    case 'lastYear':
      return yearPeriod(monthOf(today, 12).slice(0, 4));
    case 'thisYear':
      return yearPeriod(today.slice(0, 4));
    case 'other':
      return isPeriod(from, to) && from <= today ? { from, to } : undefined;
  }
}

interface PeriodFieldsProps {
  period: ChosenPeriod;
  today: Day;
  onChange: (period: ChosenPeriod) => void;
  disabled?: boolean;
}

/** Chooses the days of a statement or a report. */
export function PeriodFields({ period, today, onChange, disabled = false }: PeriodFieldsProps) {
  const isWrong = period.choice === 'other' && period.from !== '' && period.to !== '' && daysOf(period, today) === undefined;
  const choose = (value: string | null) => {
    const choice = CHOICES.find((one) => one === value);
    if (choice === undefined) return;
    // Whoever chooses other days begins with those that were chosen before.
    onChange({ ...period, choice, ...(choice === 'other' && daysOf(period, today)) });
  };
  return (
    <Stack gap="md">
      <Select
        label={words.period}
        data={CHOICES.map((choice) => ({ value: choice, label: words.periods[choice] }))}
        value={period.choice}
        onChange={choose}
        allowDeselect={false}
        disabled={disabled}
      />
      {period.choice === 'other' && (
        <FieldPair>
          <TextInput
            type="date"
            label={words.from}
            value={period.from}
            onChange={(event) => onChange({ ...period, from: event.currentTarget.value })}
            error={isWrong && words.badDays}
            disabled={disabled}
          />
          <TextInput
            type="date"
            label={words.to}
            value={period.to}
            onChange={(event) => onChange({ ...period, to: event.currentTarget.value })}
            disabled={disabled}
          />
        </FieldPair>
      )}
    </Stack>
  );
}
