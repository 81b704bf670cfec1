import { styleText } from 'node:util';
import { type Amount, toDecimal } from '../../src-shared/amounts.ts';

type Style = Parameters<typeof styleText>[0];

/** Tells the story on standard output: in colours on a terminal, in plain text everywhere else and with NO_COLOR. */
export class Narrator {
  #step = 0;

  /** Begins a new part of the story. */
  step(title: string): void {
    this.#step += 1;
    print(`\n${styled('bold', `${this.#step}. ${title}`)}`);
  }
  says(...lines: readonly string[]): void {
    for (const line of lines) print(`   ${line}`);
  }
  /** Tells who asks whom for what. */
  asks(who: string, whom: string, what: string): void {
    this.says(`${styled('cyan', `${who} → ${whom}`)}  ${what}`);
  }
  /** Tells what was checked and is right. */
  sees(fact: string): void {
    this.says(`${styled('green', '✓')} ${fact}`);
  }
  /** Tells the person in front of the terminal what to do now. */
  wants(...lines: readonly string[]): void {
    for (const line of lines) this.says(`${styled('yellow', '▸')} ${styled('bold', line)}`);
  }
  url(words: string, url: string): void {
    this.says(`${words} ${styled('underline', url)}`);
  }
  /** Tells how far a payment has come. On a terminal it writes over the same line. */
  progress(words: string, done: boolean): void {
    if (process.stdout.isTTY) process.stdout.write(`\r   ${words}\u001b[K${done ? '\n' : ''}`);
    else this.says(words);
  }
}

/** Writes an amount for people, such as `26.00 USD`. */
export const money = ({ value, assetCode, assetScale }: Amount): string => `${toDecimal(value, assetScale)} ${assetCode}`;

/** Writes an amount of the wire for people. */
export const wireMoney = ({ value, assetCode, assetScale }: Omit<Amount, 'value'> & { value: string }): string =>
  money({ value: BigInt(value), assetCode, assetScale });

// This is Node's own rule: it writes colours only on a terminal that takes them, and never with NO_COLOR.
const styled = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
