/** Writes a line to the standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
