/**
 * A sentence in pieces. A strong piece is what a reader must not miss, or what a stranger wrote. It is emphasised and
 * made inert when it is shown.
 */
export type Words = readonly (string | { readonly strong: string })[];

export const strong = (text: string): { readonly strong: string } => ({ strong: text });

/** The sentence as plain text. */
export const plain = (words: Words): string => words.map((piece) => (typeof piece === 'string' ? piece : piece.strong)).join('');

/** Bytes in megabytes, rounded up, so that a little never reads as nothing. */
export const inMegabytes = (bytes: number): number => Math.ceil(bytes / 1e6);

/**
 * A text as one word of a command in a terminal. A shell runs nothing that stands in it. A path with the letter of a
 * drive gets the quotes of Windows, where no path can hold a quote.
 */
export function shellWord(text: string): string {
  if (/^[\w./:\\@%+-]+$/.test(text)) return text;
  return /^[a-z]:\\/i.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}
