import { locale } from './locale.ts';

/**
 * A sentence in pieces. A strong piece is what a reader must not miss, or what a stranger wrote. It is emphasised and
 * made inert when it is shown.
 */
export type Words = readonly (string | { readonly strong: string })[];

export const strong = (text: string): { readonly strong: string } => ({ strong: text });

/** The sentence as plain text. */
export const plain = (words: Words): string => words.map((piece) => (typeof piece === 'string' ? piece : piece.strong)).join('');

/** Joins the items with commas, and the last one with "and". */
export function listed(items: readonly Words[]): Words {
  return items.flatMap((item, index): Words => {
    if (index === 0) return item;
    return [index === items.length - 1 ? (items.length > 2 ? ', and ' : ' and ') : ', ', ...item];
  });
}

/** A number with its noun, such as "1 payment" and "3 payments". */
export const counted = (count: number, one: string, many: string): string => `${count.toLocaleString(locale)} ${count === 1 ? one : many}`;

/** Bytes in megabytes, rounded up, so that a little never reads as nothing. */
export const inMegabytes = (bytes: number): number => Math.ceil(bytes / 1e6);

/** A text as one word of a command in a terminal. Quotes keep a path with spaces together in every usual shell. */
export const shellWord = (text: string): string => (/^[\w./:\\@%+-]+$/.test(text) ? text : `"${text}"`);
