import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Where a command is typed, for those that ask before they act. */
export interface Terminal {
  /** Whether a person reads what is printed and types the answers; not so in a script, a pipe or a service. */
  readonly attended: boolean;
  print(line: string): void;
  /** @returns what was typed; an empty text when the input ended instead, as with Ctrl-C. */
  ask(question: string): Promise<string>;
}

/** The terminal of this process. */
export const processTerminal: Terminal = {
  get attended() {
    return process.stdin.isTTY && process.stdout.isTTY;
  },
  print: (line) => void process.stdout.write(`${line}\n`),
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    const ended = once(lines, 'close').then(() => '');
    try {
      return (await Promise.race([lines.question(question), ended])).trim();
    } finally {
      lines.close();
    }
  },
};
