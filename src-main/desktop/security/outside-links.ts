import { dialogs } from '../../../src-shared/words/desktop/dialogs.ts';

const { outside: words, mail } = dialogs;
/** The answer that opens the page. */
const OPEN = 1;

/**
 * The question before a page outside paydesk or the mail program is opened. It names the host of the page as the
 * internet knows it, so that letters that only look alike show. Nobody opens anything by pressing a key too early: the
 * answer at hand is not to.
 * @param url as {@link externalUrl} or {@link mailUrl} gives it
 */
export function outsideQuestion(url: string) {
  const { protocol, host } = new URL(url);
  const isMail = protocol === 'mailto:';
  return {
    type: 'question' as const,
    title: dialogs.title,
    message: isMail ? mail.message : words.message({ host }),
    detail: isMail ? mail.detail : words.detail,
    buttons: [words.stay, isMail ? mail.open : words.open],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
}

interface Parts<Window> {
  /** The window in which the page was clicked. It is undefined when the window is gone. */
  window: () => Window | undefined;
  ask: (window: Window, question: ReturnType<typeof outsideQuestion>) => Promise<{ response: number }>;
  open: (url: string) => Promise<void>;
}

/**
 * Opens pages outside paydesk and drafts of mails after a question, one at a time: a page that asks again and again
 * shows one question.
 */
export class OutsideLinks<Window> {
  readonly #parts: Parts<Window>;
  #asking = false;

  constructor(parts: Parts<Window>) {
    this.#parts = parts;
  }

  /** Asks, and opens it when the operator wants it. It does nothing while another question is open. */
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
