import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

/** Time for the next letter; a list of a hundred thousand answers within a few hundredths of a second. */
const AFTER_MS = 40;

interface FilterInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** What stands in the address. */
  text: string;
  onFilter: (text: string) => void;
  /** Name of the button that empties it. */
  clearLabel: string;
}

/** A filter that is typed: it works while one types, and follows the address. */
export function FilterInput({ text, onFilter, clearLabel, ...rest }: FilterInputProps) {
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  const filter = useDebouncedCallback((value: string) => {
    sent.current = value;
    onFilter(value);
  }, AFTER_MS);
  // The address changes without typing too: by its filters being cleared, and by going back.
  useEffect(() => {
    if (text !== sent.current) setTyped(text);
    sent.current = text;
  }, [text]);
  const type = (value: string) => {
    setTyped(value);
    filter(value.trim());
  };
  return (
    <TextInput
      {...rest}
      rightSection={typed === '' ? null : <CloseButton aria-label={clearLabel} onClick={() => type('')} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
