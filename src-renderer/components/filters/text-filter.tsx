import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { MOST_LETTERS } from './search-params.ts';

/** Time for the next letter. A list of a hundred thousand payments answers within a few hundredths of a second. */
const AFTER_MS = 40;

interface TextFilterProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** What stands in the address. */
  text: string | undefined;
  onFilter: (text: string | undefined) => void;
  /** Name of the button that empties it. */
  clearLabel: string;
}

/** A filter that is typed: the list follows while the operator types, and the field follows the address. */
export function TextFilter({ text = '', onFilter, clearLabel, ...rest }: TextFilterProps) {
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  const filter = useDebouncedCallback((value: string) => {
    sent.current = value;
    onFilter(value === '' ? undefined : value);
  }, AFTER_MS);
  // The address also changes without typing: when its filters are cleared, and when the operator goes back.
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
      maxLength={MOST_LETTERS}
      {...rest}
      rightSection={typed === '' ? null : <CloseButton aria-label={clearLabel} onClick={() => type('')} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

interface SearchFilterProps extends Pick<TextFilterProps, 'text' | 'onFilter' | 'className'> {
  words: { readonly searchLabel: string; readonly searchHint: string; readonly clearSearch: string };
}

/** The search box of a list. */
export function SearchFilter({ words, ...rest }: SearchFilterProps) {
  return (
    <TextFilter
      {...rest}
      aria-label={words.searchLabel}
      placeholder={words.searchHint}
      clearLabel={words.clearSearch}
      type="search"
      leftSection={<IconSearch size={18} aria-hidden />}
    />
  );
}
