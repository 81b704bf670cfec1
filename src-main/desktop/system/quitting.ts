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
    message: message({ underWay }),
    detail,
    buttons: QUIT_ANSWERS.map((answer) => buttons[answer]),
    defaultId: QUIT_ANSWERS.indexOf('wait'),
    cancelId: QUIT_ANSWERS.indexOf('stay'),
    noLink: true,
  };
}

interface Parts {
  /** How many payments are under way. The promise rejects when the node cannot tell any more. */
  underWay(): Promise<number>;
  /**
   * Puts {@link quitQuestion} to the operator. When `withdrawn` is aborted, the question is closed and the answer is
   * `stay`.
   */
  ask(underWay: number, withdrawn: AbortSignal): Promise<QuitAnswer>;
  /** Reports how many payments quitting waits for; undefined means that it does not wait any more. */
  onWaiting(underWay: number | undefined): void;
  /** Ends the app. */
  quit(): void;
}

/** Decides whether the app may end. While payments are under way it asks first, one question at a time. */
export class Quitting {
  readonly #parts: Parts;
  #asking = false;
  /** Whether the operator has asked to quit since the last question was put. */
  #unheard = false;
  /** Withdraws the question that was put last. */
  #question = new AbortController();
  #waiting = false;
  #decided = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether the app may end now. */
  get decided(): boolean {
    return this.#decided;
  }

  /** Ends the app without a question, for example when the computer shuts down or nobody can be asked. */
  now(): void {
    if (this.#decided) return;
    this.#decided = true;
    this.#parts.quit();
  }

  /**
   * The operator wants to quit. When they want it once more, they do not see the open question, perhaps because it is
   * behind another window, or they have just answered it. Then the question is put again, in front.
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
    // A withdrawn question has no answer.
    if (answer === 'stay' && this.#unheard) return;
    this.#waiting = answer === 'wait';
    this.#parts.onWaiting(this.#waiting ? underWay : undefined);
  }

  /** Looks whether payments have ended, and quits when the app waited for that. */
  async look(): Promise<void> {
    if (!this.#waiting || this.#decided) return;
    const underWay = await this.#underWay();
    // The operator may have given another answer meanwhile.
    if (!this.#waiting) return;
    if (underWay === 0) this.now();
    else this.#parts.onWaiting(underWay);
  }

  /** A node that cannot tell has no payments to wait for. */
  #underWay(): Promise<number> {
    return this.#parts.underWay().catch(() => 0);
  }
}
