import { NativeSelect, TextInput } from '@mantine/core';
import { type Asset, assetKey } from '../../../src-shared/amounts.ts';
import { PRODUCT_LIMITS } from '../../../src-shared/shop/product-limits.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { taxRateText } from '../../../src-shared/words/sales/tax-rate-text.ts';
import { AmountInput } from '../forms/amount-input.tsx';
import { FieldPair } from '../forms/field-pair.tsx';
import type { TaxChoice } from '../money/tax-choice.ts';
import { ColourField } from './colour-field.tsx';
import { isRateGone, type ProductDraft, typedPrice } from './product-draft.ts';

const words = messages.products;

interface ProductFieldsProps {
  draft: ProductDraft;
  onChange: (next: Partial<ProductDraft>) => void;
  assets: readonly Asset[];
  choice: TaxChoice;
  /** Whether the person has tried to save it, so that what is missing is said. */
  tried: boolean;
  fixed: boolean;
}

/** What is said of a product. */
export function ProductFields({ draft, onChange, assets, choice, tried, fixed }: ProductFieldsProps) {
  const { name, price, asset, code, colour } = draft;
  return (
    <>
      <TextInput
        label={words.name}
        value={name}
        maxLength={PRODUCT_LIMITS.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        error={tried && name.trim() === '' ? words.nameNeeded : undefined}
        disabled={fixed}
        required
        data-autofocus
      />
      <FieldPair>
        <AmountInput
          label={words.price}
          description={priceHint(choice)}
          asset={asset}
          value={price}
          onChange={(typed) => onChange({ price: typed })}
          error={tried && typedPrice(draft) === undefined ? words.priceNeeded : undefined}
          disabled={fixed}
          required
        />
        <TaxField {...{ draft, onChange, choice, fixed }} />
      </FieldPair>
      {assets.length > 1 && (
        <NativeSelect
          label={words.currency}
          value={assetKey(asset)}
          data={assets.map((one) => ({ value: assetKey(one), label: one.assetCode }))}
          onChange={({ currentTarget: { value } }) => onChange({ asset: assets.find((one) => assetKey(one) === value) ?? asset })}
          disabled={fixed}
        />
      )}
      <TextInput
        label={words.code}
        description={words.codeHint}
        value={code}
        maxLength={PRODUCT_LIMITS.code}
        autoComplete="off"
        dir="auto"
        onChange={({ currentTarget }) => onChange({ code: currentTarget.value })}
        // A scanner ends with Enter, which would send the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        disabled={fixed}
      />
      <ColourField value={colour} onChange={(chosen) => onChange({ colour: chosen })} />
    </>
  );
}

function priceHint({ rates, pricesIncludeTax }: TaxChoice): string {
  if (rates.length === 0) return words.priceHint;
  return pricesIncludeTax ? words.priceWithTax : words.priceBeforeTax;
}

/** The tax rates of the shop. It is nothing where there are none to choose. */
function TaxField({ draft, onChange, choice: { rates }, fixed }: Pick<ProductFieldsProps, 'draft' | 'onChange' | 'choice' | 'fixed'>) {
  const isGone = isRateGone(draft, rates);
  if (rates.length === 0 && !isGone) return null;
  return (
    <NativeSelect
      label={words.tax}
      description={' '}
      value={draft.rateId}
      data={[
        ...(isGone ? [{ value: draft.rateId, label: words.needsTaxRate, disabled: true }] : []),
        { value: '', label: words.noTax },
        ...rates.map(({ id, name, rate }) => ({ value: id, label: `${name} ${taxRateText(rate)}` })),
      ]}
      onChange={({ currentTarget }) => onChange({ rateId: currentTarget.value })}
      error={isGone ? words.goneTax : undefined}
      disabled={fixed}
    />
  );
}
