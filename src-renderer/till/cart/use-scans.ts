import { useEffect, useEffectEvent, useRef } from 'react';
import { scanInField, scanOf, type TypedKey } from './scan.ts';
import { FIELDS, noted } from './typed-keys.ts';

/**
 * Hears what a scanner types where no sale is put together, wherever the focus is. Its Enter presses and sends nothing.
 */
export function useScans(onScan: (code: string) => void): void {
  const keys = useRef<readonly TypedKey[]>([]);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.repeat) return;
    if (event.key !== 'Enter') {
      keys.current = noted(keys.current, event, '');
      return;
    }
    const isField = event.target instanceof Element && event.target.matches(FIELDS);
    const scan = isField ? scanInField(keys.current) : scanOf(keys.current);
    keys.current = [];
    if (scan === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onScan(scan.code);
  });
  useEffect(() => {
    // It hears the key before anything that it could press.
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}

const ahead: string[] = [];

/** Keeps a code for the next sale, whose counter is not there yet. */
export const scanAhead = (code: string): void => void ahead.push(code);

/** Hands over the codes that were kept for the next sale, once the caller is done. They come once. */
export const takeAhead = (take: (code: string) => void): void =>
  queueMicrotask(() => {
    for (const code of ahead.splice(0)) take(code);
  });
