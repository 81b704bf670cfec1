/** What the operator wants when payments are under way. */
export type QuitAnswer = 'wait' | 'anyway' | 'stay';

/** The order of the buttons in {@link quitQuestion}. */
export const QUIT_ANSWERS: readonly QuitAnswer[] = ['wait', 'anyway', 'stay'];

/** The question before quitting, for a message box of the system. */
export function quitQuestion(underWay: number) {
  const payments = underWay === 1 ? 'A payment is' : `${underWay} payments are`;
  return {
    type: 'question' as const,
    title: 'paydesk',
    message: `${payments} under way. Quit all the same?`,
    detail: 'No money is lost either way. What is not finished continues when paydesk starts again.',
    buttons: ['Wait until they are done, then quit', 'Quit anyway: they continue at the next start', 'Do not quit'],
    defaultId: QUIT_ANSWERS.indexOf('wait'),
    cancelId: QUIT_ANSWERS.indexOf('stay'),
    noLink: true,
  };
}

interface QuittingParts {
  /** How many payments are under way; rejects when the node cannot tell any more. */
  underWay(): Promise<number>;
  /** Puts {@link quitQuestion} to the operator. */
  ask(underWay: number): Promise<QuitAnswer>;
  /** Tells how many payments quitting waits for; undefined when it does not wait any more. */
  onWaiting(underWay: number | undefined): void;
  /** Ends the app; it is not asked again. */
  quit(): void;
}

/** Decides whether the app may end: never while payments are under way without asking, and never twice at the same time. */
export class Quitting {
  readonly #parts: QuittingParts;
  #asking = false;
  #waiting = false;
  #decided = false;

  constructor(parts: QuittingParts) {
    this.#parts = parts;
  }

  /** Whether the app may end now. */
  get decided(): boolean {
    return this.#decided;
  }

  /** Ends the app without a question, such as when the computer shuts down or there is nobody to ask. */
  now(): void {
    if (this.#decided) return;
    this.#decided = true;
    this.#parts.quit();
  }

  /** Somebody wants to quit. */
  async wish(): Promise<void> {
    if (this.#asking || this.#decided) return;
    this.#asking = true;
    try {
      const underWay = await this.#underWay();
      if (underWay === 0) return this.now();
      const answer = await this.#parts.ask(underWay);
      if (answer === 'anyway') return this.now();
      this.#waiting = answer === 'wait';
      this.#parts.onWaiting(this.#waiting ? underWay : undefined);
    } finally {
      this.#asking = false;
    }
    await this.look();
  }

  /** Payments may have ended: quits when that was waited for. */
  async look(): Promise<void> {
    if (!this.#waiting || this.#decided) return;
    const underWay = await this.#underWay();
    // Another answer may have come meanwhile.
    if (!this.#waiting) return;
    if (underWay === 0) this.now();
    else this.#parts.onWaiting(underWay);
  }

  /** A node that cannot tell has nothing left to wait for. */
  #underWay(): Promise<number> {
    return this.#parts.underWay().catch(() => 0);
  }
}
