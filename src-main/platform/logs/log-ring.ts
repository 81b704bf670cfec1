import type { DestinationStream } from 'pino';

/** The most lines that are kept. */
export const MOST_LINES = 2_000;
/** The most characters that are kept of one line. */
const MOST_CHARACTERS = 4_000;

export interface KeptLine {
  /** The number of the line, counted from 1 at the start of the process. */
  readonly number: number;
  /** The line as it was written: one JSON object. */
  readonly text: string;
}

/** Keeps the last lines of a log in memory. */
export class LogRing {
  readonly #lines: KeptLine[] = [];
  #count = 0;

  /** @returns a destination that keeps the last lines and passes every line on to `destination`. */
  tee(destination: DestinationStream): DestinationStream {
    return {
      write: (text: string) => {
        this.#keep(text);
        destination.write(text);
      },
    };
  }

  /** The kept lines, oldest first. */
  lines(): readonly KeptLine[] {
    const start = this.#count % MOST_LINES;
    return this.#count <= MOST_LINES ? [...this.#lines] : [...this.#lines.slice(start), ...this.#lines.slice(0, start)];
  }

  #keep(text: string): void {
    this.#lines[this.#count % MOST_LINES] = { number: this.#count + 1, text: text.slice(0, MOST_CHARACTERS) };
    this.#count += 1;
  }
}
