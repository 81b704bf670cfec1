import { dialogs } from '../../../src-shared/words/desktop/dialogs.ts';

const words = dialogs.outside;
/** The answer that opens the page. */
const OPEN = 1;

/**
 * The question before a page outside paydesk is opened. It names the host as the internet knows it, so that letters
 * that only look alike show. Nobody opens anything by pressing a key too early: the answer at hand is not to.
 * @param url as {@link externalUrl} gives it
 */
export const outsideQuestion = (url: string) => ({
  type: 'question' as const,
  title: dialogs.title,
  message: words.message({ host: new URL(url).host }),
  detail: words.detail,
  buttons: [words.stay, words.open],
  defaultId: 0,
  cancelId: 0,
  noLink: true,
});

interface Parts<Window> {
  /** The window in which the page was clicked. It is undefined when the window is gone. */
  window: () => Window | undefined;
  ask: (window: Window, question: ReturnType<typeof outsideQuestion>) => Promise<{ response: number }>;
  open: (url: string) => Promise<void>;
}

/** Opens pages outside paydesk after a question, one at a time: a page that asks again and again shows one question. */
export class OutsideLinks<Window> {
  readonly #parts: Parts<Window>;
  #asking = false;

  constructor(parts: Parts<Window>) {
    this.#parts = parts;
  }

  /** Asks, and opens the page when the operator wants it. It does nothing while another question is open. */
  async follow(url: string): Promise<void> {
    const window = this.#parts.window();
    if (window === undefined || this.#asking) return;
    this.#asking = true;
    try {
      const { response } = await this.#parts.ask(window, outsideQuestion(url));
      if (response === OPEN) await this.#parts.open(url);
    } finally {
      this.#asking = false;
    }
  }
}
