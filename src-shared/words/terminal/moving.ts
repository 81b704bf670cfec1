import { area, extended } from '../language/language.ts';
import { inMegabytes } from '../words.ts';

const text = area('movingWords');

/** What the command `move` prints, and why it or a start of a node is refused around a move. */
export const movingWords = extended('movingWords', () => ({
  /** @param names what the operator calls them */
  running: (where: string, names: readonly string[]) => text.running({ where, names: names.join(', ') }),
  /** @param needed and @param free in bytes */
  noRoom: (needed: number, free: number) => text.noRoom({ needed: inMegabytes(needed), free: inMegabytes(free) }),
  /** @param most in bytes */
  tooLarge: (most: number) => text.tooLarge({ most: inMegabytes(most) }),

  serverRoom: (bytes: number) => text.serverRoom({ bytes: inMegabytes(bytes) }),
}));
