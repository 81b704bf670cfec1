import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { forTerminal } from './print.ts';

/** The terminal in which a command is typed, for commands that ask before they act. */
export interface Terminal {
  /** Whether a person reads the output and types the answers. This is false in a script, a pipe or a service. */
  readonly attended: boolean;
  print(line: string): void;
  /** @returns what was typed; an empty text when the input ended instead, for example with Ctrl-C. */
  ask(question: string): Promise<string>;
  /** Asks as `ask` does, for a secret: it shows nothing, changes no character, and also takes what is piped in. */
  askSecretly(question: string): Promise<string>;
}

/** One end of a terminal or of a pipe. */
type End<Stream> = Stream & { isTTY?: boolean };

/** A terminal with these two ends. Only tests name others than those of this process. */
export function openTerminal(
  input: End<NodeJS.ReadableStream> = process.stdin,
  output: End<NodeJS.WritableStream> = process.stdout,
): Terminal {
  const isTyped = input.isTTY === true;
  const answerTo = (question: string, echo: NodeJS.WritableStream): Promise<string> =>
    new Promise((resolve) => {
      const lines = createInterface({ input, output: echo, terminal: isTyped });
      // Ctrl-C, Ctrl-D and the end of a pipe close it.
      lines.once('close', () => resolve(''));
      lines.question(forTerminal(question), (answer) => {
        resolve(answer);
        lines.close();
      });
    });
  return {
    attended: isTyped && output.isTTY === true,
    print: (line) => void output.write(`${forTerminal(line)}\n`),
    async ask(question) {
      const answer = (await answerTo(question, output)).trim();
      // The next output begins on a line of its own, also when the input ended within this one.
      if (answer === '' && isTyped) output.write('\n');
      return answer;
    },
    async askSecretly(question) {
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      if (!isTyped) return await answerTo('', nowhere);
      output.write(forTerminal(question));
      const answer = await answerTo('', nowhere);
      output.write('\n');
      return answer;
    },
  };
}
