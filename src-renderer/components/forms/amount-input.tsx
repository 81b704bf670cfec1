import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { type Asset, fromDecimal, MAX_MOVED } from '../../../src-shared/amounts.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';

interface AmountInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  asset: Asset;
  value: string;
  onChange: (text: string) => void;
}

/** Says why `text` is no amount of the asset. It is undefined when the text is an amount or empty. */
export function amountFault(text: string, { assetScale }: Asset): string | undefined {
  if (text.trim() === '') return undefined;
  const value = fromDecimal(text, assetScale);
  if (value === undefined) return messages.welcome.amountInvalid(assetScale);
  return value > MAX_MOVED ? messages.welcome.amountTooLarge : undefined;
}

/**
 * A field for an amount as decimal text in the asset's precision. It is read exactly, never as a floating-point number.
 */
export function AmountInput({ asset, value, onChange, error, ...rest }: AmountInputProps) {
  return (
    <TextInput
      {...rest}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputMode={asset.assetScale === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      error={error ?? amountFault(value, asset)}
      rightSection={
        <Text size="sm" c="dimmed">
          {asset.assetCode}
        </Text>
      }
      rightSectionWidth={24 + asset.assetCode.length * 9}
      rightSectionPointerEvents="none"
    />
  );
}
