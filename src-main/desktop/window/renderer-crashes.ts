/** This many crashes within {@link WITHIN_MS} are no accident. */
const TOO_MANY = 3;
const WITHIN_MS = 60_000;

/** Decides whether to reopen a window whose page has crashed. The node runs in another process and goes on. */
export class RendererCrashes {
  #recent: number[] = [];
  /** How many pages in a row have crashed before they were painted. */
  #unpainted = 0;

  /**
   * @param now by the monotonic clock, in milliseconds
   * @param painted whether the page had been painted
   * @returns whether to open the window again; a page that keeps crashing is not opened for ever
   */
  mayReopen(now: number, painted: boolean): boolean {
    this.#unpainted = painted ? 0 : this.#unpainted + 1;
    this.#recent = [...this.#recent.filter((at) => now - at < WITHIN_MS), now];
    return this.#recent.length < TOO_MANY && this.#unpainted < TOO_MANY;
  }
}
