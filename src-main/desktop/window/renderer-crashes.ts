/** This many crashes within {@link WITHIN_MS} are no accident any more. */
const TOO_MANY = 3;
const WITHIN_MS = 60_000;

/** Decides what becomes of a window whose page has crashed. The node is another process's matter and goes on in any case. */
export class RendererCrashes {
  #recent: number[] = [];
  /** How many in a row have crashed before they were painted, however long each took to get there. */
  #unpainted = 0;

  /**
   * @param now milliseconds since the Unix epoch
   * @param painted whether there was anything to see of the page
   * @returns whether to open the window anew; a page that crashes again and again would otherwise do so for ever.
   */
  mayReopen(now: number, painted: boolean): boolean {
    this.#unpainted = painted ? 0 : this.#unpainted + 1;
    this.#recent = [...this.#recent.filter((at) => now - at < WITHIN_MS), now];
    return this.#recent.length < TOO_MANY && this.#unpainted < TOO_MANY;
  }
}
