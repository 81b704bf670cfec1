import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { startOf } from '../../../src-shared/words/day-input.ts';

interface DayFilterProps extends Omit<TextInputProps, 'type' | 'value' | 'onChange'> {
  /** What stands in the address. */
  day: string | undefined;
  onFilter: (day: string | undefined) => void;
}

/**
 * A filter by day that follows the address. While its year is being typed, the field keeps what is typed and filters
 * nothing.
 */
export function DayFilter({ day, onFilter, ...rest }: DayFilterProps) {
  const [typed, setTyped] = useState(day ?? '');
  const sent = useRef(day);
  // The address also changes without typing: when its filters are cleared, and when the operator goes back.
  useEffect(() => {
    if (day !== sent.current) setTyped(day ?? '');
    sent.current = day;
  }, [day]);
  const type = (text: string) => {
    setTyped(text);
    sent.current = startOf(text) === undefined ? undefined : text;
    onFilter(sent.current);
  };
  return <TextInput {...rest} type="date" value={typed} onChange={(event) => type(event.currentTarget.value)} />;
}
