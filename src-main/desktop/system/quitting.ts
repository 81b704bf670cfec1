import { dialogs } from '../../../src-shared/words/desktop/dialogs.ts';

/** What the operator wants when payments are under way. */
export type QuitAnswer = 'wait' | 'anyway' | 'stay';

/** The order of the buttons in {@link quitQuestion}. */
export const QUIT_ANSWERS: readonly QuitAnswer[] = ['wait', 'anyway', 'stay'];

/** The question before quitting, for a message box of the system. */
export function quitQuestion(underWay: number) {
  const { message, detail, ...buttons } = dialogs.quit;
  return {
    type: 'question' as const,
    title: dialogs.title,
    message: message(underWay),
    detail,
    buttons: QUIT_ANSWERS.map((answer) => buttons[answer]),
    defaultId: QUIT_ANSWERS.indexOf('wait'),
    cancelId: QUIT_ANSWERS.indexOf('stay'),
    noLink: true,
  };
}

interface QuittingParts {
  /** How many payments are under way; rejects when the node cannot tell any more. */
  underWay(): Promise<number>;
  /** Puts {@link quitQuestion} to the operator; once `withdrawn` is aborted nobody answers it any more, and `stay` is what comes of it. */
  ask(underWay: number, withdrawn: AbortSignal): Promise<QuitAnswer>;
  /** Tells how many payments quitting waits for; undefined when it does not wait any more. */
  onWaiting(underWay: number | undefined): void;
  /** Ends the app; it is not asked again. */
  quit(): void;
}

/** Decides whether the app may end: never while payments are under way without asking, and with one question at a time. */
export class Quitting {
  readonly #parts: QuittingParts;
  #asking = false;
  /** Whether somebody has wanted to quit since the last question was put. */
  #unheard = false;
  /** Takes back the question that was put last. */
  #question = new AbortController();
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

  /**
   * Somebody wants to quit. Whoever wants to once more does not see the question that is open, behind another window say, or has answered it at this
   * very moment: it is put anew, in front.
   */
  async wish(): Promise<void> {
    if (this.#decided) return;
    this.#unheard = true;
    this.#question.abort();
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#unheard && !this.#decided) await this.#ask();
    } finally {
      this.#asking = false;
    }
    await this.look();
  }

  async #ask(): Promise<void> {
    const underWay = await this.#underWay();
    if (underWay === 0) return this.now();
    this.#question = new AbortController();
    this.#unheard = false;
    const answer = await this.#parts.ask(underWay, this.#question.signal);
    if (answer === 'anyway') return this.now();
    // It may have been taken back, which is no answer.
    if (answer === 'stay' && this.#unheard) return;
    this.#waiting = answer === 'wait';
    this.#parts.onWaiting(this.#waiting ? underWay : undefined);
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
