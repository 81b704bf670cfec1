import type { Words } from '../words.ts';
import { locale } from './locale.ts';

/** Joins the items as the reader's language does, such as "a, b, and c". */
export function listed(items: readonly Words[]): Words {
  const format = new Intl.ListFormat(locale(), { type: 'conjunction' });
  const numbers = items.map((_, index) => String(index));
  return format.formatToParts(numbers).flatMap(({ type, value }): Words => (type === 'element' ? (items[Number(value)] ?? []) : [value]));
}
