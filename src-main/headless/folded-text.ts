import { inertText } from '../../src-shared/words/inert-text.ts';
import { plain, type Words } from '../../src-shared/words/words.ts';

/** Columns that fit every terminal, with some room at the right. */
const WIDTH = 100;

/**
 * A text in lines that begin at column `indent`. It is made inert: whatever a stranger wrote into it, neither a terminal nor the lines around it are
 * moved by it. A word longer than a line stays whole, so that it can be copied.
 */
export function folded(text: string, indent: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of inertText(text).split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => ' '.repeat(indent) + one);
}

/** A sentence of the catalogue in lines. */
export const foldedWords = (words: Words, indent: number): string[] => folded(plain(words), indent);

/** Names and values in two columns, the names from column `indent`; a value goes on under itself, never under a name. */
export function table(rows: readonly (readonly [name: string, value: string])[], indent: number): string[] {
  const column = indent + Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  return rows.flatMap(([name, value]) => {
    const [first = '', ...more] = folded(value, column);
    return [(' '.repeat(indent) + name).padEnd(column) + first.trimStart(), ...more];
  });
}
