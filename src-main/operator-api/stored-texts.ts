import { z } from '../../src-shared/zod.ts';

/**
 * Puts U+FFFD in place of each NUL character. No text comes in with one any more, but an earlier version has stored
 * what apps and wallets said, and the contract lets no such text out (decisions.md#D-110). Values that are no plain
 * data, such as dates and streams, stay as they are.
 */
export const withoutNul = <T>(output: T): T => (z.hasNoNul(output) ? output : (replaced(output) as T));

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD');
  if (Array.isArray(value)) return value.map(replaced);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [replaced(name), replaced(member)]));
}
