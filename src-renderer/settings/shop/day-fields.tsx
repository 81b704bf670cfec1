import { Select, Stack } from '@mantine/core';
import { CURRENCIES } from '../../../src-shared/currencies.ts';
import { DAY_END_STEP, LATEST_DAY_END } from '../../../src-shared/shop/shop-limits.ts';
import { currencyName } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { clockText } from '../../../src-shared/words/date-text.ts';
import type { ShopPart } from './name-fields.tsx';

const words = messages.shop;

const ENDS = Array.from({ length: LATEST_DAY_END / DAY_END_STEP + 1 }, (_, index) => index * DAY_END_STEP);
const CODES = [...new Set(CURRENCIES.map(({ assetCode }) => assetCode))];

/** The fields for the end of the shop's day, and for the currency in which it keeps its accounts. */
export function DayFields({ draft, onChange }: ShopPart) {
  const { homeCurrency } = draft;
  const codes = homeCurrency === null || CODES.includes(homeCurrency) ? CODES : [homeCurrency, ...CODES];
  return (
    <Stack gap="md">
      <Select
        label={words.dayEnds}
        description={words.dayEndsHint}
        data={ENDS.map((minutes) => ({ value: String(minutes), label: clockText(minutes) }))}
        value={String(draft.dayEndsAt)}
        onChange={(value) => value !== null && onChange({ dayEndsAt: Number(value) })}
        allowDeselect={false}
        maw={420}
      />
      <Select
        label={words.homeCurrency}
        description={words.homeCurrencyHint}
        data={codes.map((code) => ({ value: code, label: [code, currencyName(code)].filter(Boolean).join(' · ') }))}
        value={homeCurrency}
        onChange={(code) => onChange({ homeCurrency: code })}
        searchable
        clearable
        selectFirstOptionOnChange
        nothingFoundMessage={messages.welcome.currencyNone}
        limit={100}
        maw={420}
      />
    </Stack>
  );
}
