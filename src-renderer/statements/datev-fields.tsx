import { Select, Stack, Text, TextInput } from '@mantine/core';
import { DATEV_NUMBERS } from '../../src-shared/statements/datev-numbers.ts';
import type { DatevSettings } from '../../src-shared/statements/datev-settings.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { locale } from '../../src-shared/words/language/locale.ts';
import { FieldPair } from '../components/forms/field-pair.tsx';

const words = messages.statements.datev;

const ACCOUNTS = ['wallet', 'received', 'sent', 'transit'] as const;
const MONTHS = 12;

/** What stands in the fields. */
type DatevDraft = Readonly<Record<keyof DatevSettings, string>>;

const EMPTY: DatevDraft = { consultant: '', client: '', yearBegins: '1', wallet: '', received: '', sent: '', transit: '' };

/** @param known what the node remembers */
export const draftOf = (known: DatevSettings | null): DatevDraft =>
  known === null
    ? EMPTY
    : { ...known, consultant: String(known.consultant), client: String(known.client), yearBegins: String(known.yearBegins) };

const isWithin = (text: string, [least, most]: readonly [number, number]): boolean =>
  /^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most;

type Faults = Partial<Record<keyof DatevSettings, string>>;

function faultsOf(draft: DatevDraft): Faults {
  const faults: Faults = {};
  for (const name of ['consultant', 'client'] as const) {
    const [least, most] = DATEV_NUMBERS[name];
    if (!isWithin(draft[name], DATEV_NUMBERS[name])) faults[name] = words.numberWrong({ least: String(least), most: String(most) });
  }
  for (const name of ACCOUNTS)
    if (!/^\d{4,8}$/.test(draft[name]) || draft[name].length !== draft.wallet.length) faults[name] = words.accountWrong;
  return faults;
}

/** The settings that were typed. It is undefined while something of them is wrong. */
export function settingsOf(draft: DatevDraft): DatevSettings | undefined {
  if (Object.keys(faultsOf(draft)).length > 0) return undefined;
  return { ...draft, consultant: Number(draft.consultant), client: Number(draft.client), yearBegins: Number(draft.yearBegins) };
}

const monthName = (month: number): string =>
  new Intl.DateTimeFormat(locale(), { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, month - 1));

interface DatevFieldsProps {
  draft: DatevDraft;
  onChange: (draft: DatevDraft) => void;
  /** Whether faults are shown. */
  tried: boolean;
  disabled: boolean;
}

/** Asks for what DATEV has to know. */
export function DatevFields({ draft, onChange, tried, disabled }: DatevFieldsProps) {
  const faults = tried ? faultsOf(draft) : {};
  const field = (name: Exclude<keyof DatevSettings, 'yearBegins'>) => (
    <TextInput
      key={name}
      label={words[name]}
      inputMode="numeric"
      value={draft[name]}
      onChange={(event) => onChange({ ...draft, [name]: event.currentTarget.value.trim() })}
      error={faults[name]}
      disabled={disabled}
      maxLength={9}
    />
  );
  return (
    <Stack gap="md" role="group" aria-label={words.title}>
      <Text fw={500}>{words.title}</Text>
      <FieldPair>
        {field('consultant')}
        {field('client')}
      </FieldPair>
      <FieldPair>
        {field('wallet')}
        {field('received')}
      </FieldPair>
      <FieldPair>
        {field('sent')}
        {field('transit')}
      </FieldPair>
      <Select
        label={words.yearBegins}
        data={Array.from({ length: MONTHS }, (_, index) => ({ value: String(index + 1), label: monthName(index + 1) }))}
        value={draft.yearBegins}
        onChange={(value) => value !== null && onChange({ ...draft, yearBegins: value })}
        allowDeselect={false}
        disabled={disabled}
      />
      <Text size="sm" c="dimmed">
        {words.remembered}
      </Text>
    </Stack>
  );
}
