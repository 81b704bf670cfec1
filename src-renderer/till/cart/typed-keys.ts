import type { TypedKey } from './scan.ts';

/** Fields in which a person writes. A choice is none: it takes no letters. */
export const FIELDS = ['textarea', 'select', 'input:not([type="radio"],[type="checkbox"])'].join();

/**
 * The keys since the last one that a scanner would not type. A space at the beginning presses a button.
 * @param before the amount that was typed before this key
 */
export function noted(keys: readonly TypedKey[], { key, timeStamp }: KeyboardEvent, before: string): readonly TypedKey[] {
  if (key === 'Shift') return keys;
  return [...key].length === 1 && (key !== ' ' || keys.length > 0) ? [...keys, { key, at: timeStamp, before }] : [];
}
