import { ActionIcon, Button, Radio, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { SHOP_LIMITS } from '../../../src-shared/shop/shop-limits.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import classes from './shop.module.css';
import { isRateWrong, type ShopDraft, type TaxRateDraft } from './shop-draft.ts';

const words = messages.shop.tax;

interface TaxRatesFieldProps {
  draft: ShopDraft;
  onChange: (change: Partial<ShopDraft>) => void;
  /** Whether faults are shown. */
  tried: boolean;
}

/** The tax rates, of which one is the default. */
export function TaxRatesField({ draft, onChange, tried }: TaxRatesFieldProps) {
  const { rates, defaultKey } = draft;
  const change = (key: string, next: Partial<TaxRateDraft>) =>
    onChange({ rates: rates.map((rate) => (rate.key === key ? { ...rate, ...next } : rate)) });
  const add = () => {
    const key = crypto.randomUUID();
    onChange({ rates: [...rates, { key, stored: undefined, name: '', text: '' }], defaultKey: defaultKey ?? key });
  };
  const remove = (key: string) => {
    const left = rates.filter((rate) => rate.key !== key);
    onChange({ rates: left, defaultKey: key === defaultKey ? (left[0]?.key ?? null) : defaultKey });
  };
  return (
    <fieldset className={classes.group}>
      <legend>{words.title}</legend>
      <Stack gap="sm">
        {rates.length === 0 && (
          <Text size="sm" c="dimmed">
            {words.none}
          </Text>
        )}
        {rates.map((rate) => (
          <div key={rate.key} className={classes.rate}>
            <TextInput
              label={words.name}
              value={rate.name}
              onChange={(event) => change(rate.key, { name: event.currentTarget.value })}
              maxLength={SHOP_LIMITS.taxRateName}
              error={tried && rate.name.trim() === '' ? words.nameNeeded : undefined}
            />
            <TextInput
              label={words.rate}
              value={rate.text}
              onChange={(event) => change(rate.key, { text: event.currentTarget.value })}
              inputMode="decimal"
              maxLength={8}
              error={tried && isRateWrong(rate) ? words.rateWrong : undefined}
            />
            <Radio
              name="default-tax-rate"
              label={words.isDefault}
              checked={rate.key === defaultKey}
              onChange={() => onChange({ defaultKey: rate.key })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              onClick={() => remove(rate.key)}
              aria-label={words.remove({ name: rate.name })}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        {rates.length < SHOP_LIMITS.taxRates && (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add} className={classes.add}>
            {words.add}
          </Button>
        )}
      </Stack>
    </fieldset>
  );
}
