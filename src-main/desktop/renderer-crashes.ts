/** This many crashes within {@link WITHIN_MS} are no accident any more. */
const TOO_MANY = 3;
const WITHIN_MS = 60_000;

/** Decides what becomes of a window whose page has crashed. The node is another process's matter and goes on in any case. */
export class RendererCrashes {
  #recent: number[] = [];

  /**
   * @param now milliseconds since the Unix epoch
   * @returns whether to open the window anew; a page that crashes again and again would otherwise do so for ever.
   */
  mayReopen(now: number): boolean {
    this.#recent = [...this.#recent.filter((at) => now - at < WITHIN_MS), now];
    return this.#recent.length < TOO_MANY;
  }
}
