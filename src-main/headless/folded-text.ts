import { inertText } from '../../src-shared/words/inert-text.ts';

/** A line of so many columns fits every terminal, with some room at the right. */
const WIDTH = 100;

/**
 * Breaks a text into lines that begin at column `indent`. It makes the text inert: what a stranger wrote into it can
 * neither control the terminal nor move the lines around it. A word longer than a line stays whole, so that the
 * operator can copy it.
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

/**
 * Names and values in two columns. The names begin at column `indent`. A value goes on below itself, never below a
 * name.
 */
export function table(rows: readonly (readonly [name: string, value: string])[], indent: number): string[] {
  const column = indent + Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  return rows.flatMap(([name, value]) => {
    const [first = '', ...more] = folded(value, column);
    return [(' '.repeat(indent) + name).padEnd(column) + first.trimStart(), ...more];
  });
}
