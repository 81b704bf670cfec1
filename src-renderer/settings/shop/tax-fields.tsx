import { Radio, Stack } from '@mantine/core';
import { messages } from '../../../src-shared/words/console/messages.ts';
import type { ShopPart } from './name-fields.tsx';
import { TaxRatesField } from './tax-rates-field.tsx';

const words = messages.shop.tax;

/** The tax rates, and how tax is counted. */
export function TaxFields({ draft, onChange, tried }: ShopPart) {
  return (
    <Stack gap="md">
      <TaxRatesField draft={draft} onChange={onChange} tried={tried} />
      {draft.rates.length > 0 && (
        <>
          <Radio.Group
            label={words.prices}
            value={draft.pricesIncludeTax ? 'included' : 'added'}
            onChange={(value) => onChange({ pricesIncludeTax: value === 'included' })}
          >
            <Stack gap="xs" mt={4}>
              <Radio value="included" label={words.included} />
              <Radio value="added" label={words.added} />
            </Stack>
          </Radio.Group>
          <Radio.Group
            label={words.rounding}
            value={draft.taxRounding}
            onChange={(value) => onChange({ taxRounding: value === 'total' ? 'total' : 'line' })}
          >
            <Stack gap="xs" mt={4}>
              <Radio value="line" label={words.perLine} />
              <Radio value="total" label={words.perTotal} />
            </Stack>
          </Radio.Group>
        </>
      )}
    </Stack>
  );
}
