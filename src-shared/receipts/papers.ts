export const PAPER_NAMES = ['a4', 'roll80', 'roll58'] as const;
export type Paper = (typeof PAPER_NAMES)[number];

/** The kinds of paper on which a receipt is printed, with their width and margin in millimetres. */
export const PAPERS: Readonly<Record<Paper, { readonly width: number; readonly margin: number }>> = {
  a4: { width: 210, margin: 15 },
  roll80: { width: 80, margin: 4 },
  roll58: { width: 58, margin: 3 },
};
/** How much longer than its receipt the paper of a roll is, so that rounding makes no second page, in millimetres. */
export const lengthBeside = (paper: Paper): number => 2 * PAPERS[paper].margin + 4;
export const isPaper = (text: unknown): text is Paper => PAPER_NAMES.some((name) => name === text);
