import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Where a command is typed, for those that ask before they act. */
export interface Terminal {
  /** Whether a person reads what is printed and types the answers; not so in a script, a pipe or a service. */
  readonly attended: boolean;
  print(line: string): void;
  /** @returns what was typed; an empty text when the input ended instead, as with Ctrl-C. */
  ask(question: string): Promise<string>;
  /** The same for a secret, to the letter and without showing it; what is piped in is taken too. */
  askSecretly(question: string): Promise<string>;
}

/** One end of a terminal or of a pipe. */
type End<Stream> = Stream & { isTTY?: boolean };

/** A terminal made of its two ends; those of this process, unless a test brings its own. */
export function openTerminal(
  input: End<NodeJS.ReadableStream> = process.stdin,
  output: End<NodeJS.WritableStream> = process.stdout,
): Terminal {
  const isTyped = input.isTTY === true;
  const answerTo = (question: string, echo: NodeJS.WritableStream): Promise<string> =>
    new Promise((resolve) => {
      const lines = createInterface({ input, output: echo, terminal: isTyped });
      // Ctrl-C and Ctrl-D close it, and so does the end of a pipe.
      lines.once('close', () => resolve(''));
      lines.question(question, (answer) => {
        resolve(answer);
        lines.close();
      });
    });
  return {
    attended: isTyped && output.isTTY === true,
    print: (line) => void output.write(`${line}\n`),
    async ask(question) {
      const answer = (await answerTo(question, output)).trim();
      // What comes next begins on a line of its own, also when the input ended within this one.
      if (answer === '' && isTyped) output.write('\n');
      return answer;
    },
    async askSecretly(question) {
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      if (!isTyped) return await answerTo('', nowhere);
      output.write(question);
      const answer = await answerTo('', nowhere);
      output.write('\n');
      return answer;
    },
  };
}
