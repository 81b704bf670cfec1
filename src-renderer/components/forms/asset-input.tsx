import { type ComboboxItem, Group, type OptionsFilter, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Asset, assetKey } from '../../../src-shared/amounts.ts';
import { CURRENCIES } from '../../../src-shared/currencies.ts';
import { currencyName } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';

const words = messages.welcome;
const OTHER = 'other';
const MOST_SCALE = 18;

const currencies: ComboboxItem[] = CURRENCIES.map((asset) => {
  const name = currencyName(asset.assetCode);
  return { value: assetKey(asset), label: name === undefined ? asset.assetCode : `${asset.assetCode} · ${name}` };
});

/** Codes that begin with what was typed come first, then names that contain it; "Other" can always be chosen. */
const bySearch: OptionsFilter = ({ options, search }) => {
  const typed = search.trim().toLowerCase();
  const items = options.filter((option): option is ComboboxItem => 'value' in option);
  const label = (item: ComboboxItem) => (typeof item.label === 'string' ? item.label.toLowerCase() : item.value);
  const starting = items.filter((item) => item.value !== OTHER && label(item).startsWith(typed));
  const containing = items.filter((item) => item.value !== OTHER && !label(item).startsWith(typed) && label(item).includes(typed));
  return [...starting, ...containing, ...items.filter(({ value }) => value === OTHER)];
};

function ownAsset(code: string, scale: string): Asset | undefined {
  const known = /^[A-Z0-9]{2,12}$/.test(code) && /^\d{1,2}$/.test(scale) && Number(scale) <= MOST_SCALE;
  return known ? { assetCode: code, assetScale: Number(scale) } : undefined;
}

/** The value under which the list has a currency. */
const optionOf = (asset: Asset): string => (CURRENCIES.some((known) => assetKey(known) === assetKey(asset)) ? assetKey(asset) : OTHER);

interface AssetInputProps {
  /** The currency that is chosen at first. */
  initial?: Asset | undefined;
  onChange: (asset: Asset | undefined) => void;
  hint?: string;
  error: string | undefined;
  disabled: boolean;
}

/** A field for a currency of the ISO list, or for an own one with its decimal places. */
export function AssetInput({ initial, onChange, hint = words.currencyHint, error, disabled }: AssetInputProps) {
  const [chosen, setChosen] = useState<string | null>(() => (initial === undefined ? null : optionOf(initial)));
  const [own, setOwn] = useState(() =>
    chosen === OTHER && initial !== undefined ? { code: initial.assetCode, scale: String(initial.assetScale) } : { code: '', scale: '2' },
  );
  const choose = (value: string | null) => {
    setChosen(value);
    onChange(value === OTHER ? ownAsset(own.code, own.scale) : CURRENCIES.find((asset) => assetKey(asset) === value));
  };
  const change = (next: { code: string; scale: string }) => {
    setOwn(next);
    onChange(ownAsset(next.code, next.scale));
  };
  const codeFault = own.code !== '' && ownAsset(own.code, '0') === undefined ? words.ownCodeInvalid : undefined;
  const scaleFault = ownAsset('XX', own.scale) === undefined ? words.ownScaleInvalid : undefined;
  return (
    <>
      <Select
        label={words.currency}
        description={hint}
        placeholder={words.currencyPlaceholder}
        data={[...currencies, { value: OTHER, label: words.other }]}
        value={chosen}
        onChange={choose}
        searchable
        selectFirstOptionOnChange
        filter={bySearch}
        nothingFoundMessage={words.currencyNone}
        maxDropdownHeight={280}
        allowDeselect={false}
        error={chosen === OTHER ? undefined : error}
        disabled={disabled}
        required
      />
      {chosen === OTHER && (
        <Group gap="md" align="flex-start" grow>
          <TextInput
            label={words.ownCode}
            description={words.ownCodeHint}
            value={own.code}
            onChange={(event) => change({ ...own, code: event.currentTarget.value.toUpperCase() })}
            maxLength={12}
            autoComplete="off"
            error={codeFault ?? (own.code === '' ? error : undefined)}
            disabled={disabled}
            required
          />
          <TextInput
            label={words.ownScale}
            description={words.ownScaleHint}
            value={own.scale}
            onChange={(event) => change({ ...own, scale: event.currentTarget.value.trim() })}
            inputMode="numeric"
            maxLength={2}
            error={scaleFault}
            disabled={disabled}
            required
          />
        </Group>
      )}
    </>
  );
}
