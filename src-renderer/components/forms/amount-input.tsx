import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { type Asset, fromDecimal, MAX_MOVED } from '../../../src-shared/amounts.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';

interface AmountInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  asset: Asset;
  value: string;
  onChange: (text: string) => void;
}

/** Why `text` is no amount of the asset; undefined for one that is, and for nothing typed. */
export function amountFault(text: string, { assetScale }: Asset): string | undefined {
  if (text.trim() === '') return undefined;
  const value = fromDecimal(text, assetScale);
  if (value === undefined) return messages.welcome.amountInvalid(assetScale);
  return value > MAX_MOVED ? messages.welcome.amountTooLarge : undefined;
}

/** An amount as decimal text in the asset's own precision; it is read exactly, never as a floating-point number. */
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
