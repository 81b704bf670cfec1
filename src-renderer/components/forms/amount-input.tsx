import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type Asset, MAX_MOVED } from '../../../src-shared/amounts.ts';
import { readTyped } from '../../../src-shared/typed-input/typed-amount.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';

const words = messages.common.amount;

interface AmountInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'error'> {
  asset: Asset;
  value: string;
  onChange: (text: string) => void;
  /** What else is wrong. A text that is no amount comes first, because its sentence says how to write one. */
  error?: TextInputProps['error'];
  /** Whether a person begins here. The field takes the focus when it appears, unless a dialog lies over it by then. */
  isFirst?: boolean;
}

/** Says why `text` is no amount of the asset. It is undefined when the text is an amount or empty. */
export function amountFault(text: string, asset: Asset): string | undefined {
  if (text.trim() === '') return undefined;
  const typed = readTyped(text, asset);
  if (typed.kind === 'ambiguous') return words.ambiguous(typed.write);
  if (typed.kind === 'invalid') return words.invalid(asset);
  return typed.value > MAX_MOVED ? words.tooLarge : undefined;
}

/**
 * A field for an amount, in any form that {@link readTyped} reads. It is never read as a floating-point number.
 */
export function AmountInput({ asset, value, onChange, error, isFirst = false, ...rest }: AmountInputProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Whoever has opened the palette before the screen was there types into the palette.
    if (isFirst && document.querySelector('[aria-modal="true"]') === null) field.current?.focus();
  }, [isFirst]);
  return (
    <TextInput
      {...rest}
      ref={field}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputMode={asset.assetScale === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      error={amountFault(value, asset) ?? error}
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
