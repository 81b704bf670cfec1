/**
 * A text for a terminal. A sentence that is written from the right has invisible marks around names and numbers.
 * Whoever copies an id or a path out of it would copy them as well, and no command would know it.
 */
export const forTerminal = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '');

/** Writes a line to the standard output. */
export function print(line: string): void {
  process.stdout.write(`${forTerminal(line)}\n`);
}

/** Writes a line for a person to the standard error, where a script does not look for answers. */
export function printBeside(line: string): void {
  process.stderr.write(`${forTerminal(line)}\n`);
}
