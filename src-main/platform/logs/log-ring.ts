import type { DestinationStream } from 'pino';

/** How many lines are kept, and how much of each. */
export const MOST_LINES = 2_000;
const MOST_CHARACTERS = 4_000;

export interface KeptLine {
  /** Counts from the start of the process. */
  readonly number: number;
  /** As it was written: one JSON object. */
  readonly text: string;
}

/** The last lines of a log, in memory. */
export class LogRing {
  readonly #lines: KeptLine[] = [];
  #count = 0;

  /** Passes everything on, and keeps the last of it. */
  tee(destination: DestinationStream): DestinationStream {
    return {
      write: (text: string) => {
        this.#keep(text);
        destination.write(text);
      },
    };
  }

  /** Oldest first. */
  lines(): readonly KeptLine[] {
    const start = this.#count % MOST_LINES;
    return this.#count <= MOST_LINES ? [...this.#lines] : [...this.#lines.slice(start), ...this.#lines.slice(0, start)];
  }

  #keep(text: string): void {
    this.#lines[this.#count % MOST_LINES] = { number: this.#count + 1, text: text.slice(0, MOST_CHARACTERS) };
    this.#count += 1;
  }
}
