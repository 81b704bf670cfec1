import { AsyncLocalStorage } from 'node:async_hooks';

/** The node died before it answered. */
export class Down extends Error {}

/** One life of a node, from its start to its crash. */
export class Life {
  alive = true;
  /** Tells those who wait for the node that it has died. */
  readonly #waiting = new Set<() => void>();

  end(): void {
    this.alive = false;
    for (const tell of this.#waiting) tell();
  }

  /**
   * Does `work` in this life. Whatever a dead node still does or says is not heard.
   * @throws Down when the life ends before the work.
   */
  async lead<T>(work: () => Promise<T>): Promise<T> {
    const death = Promise.withResolvers<never>();
    const tell = (): void => death.reject(new Down());
    this.#waiting.add(tell);
    try {
      return await Promise.race([running.run(this, work), death.promise]);
    } catch (error) {
      throw this.alive ? error : new Down();
    } finally {
      this.#waiting.delete(tell);
    }
  }
}

/** The life whose code runs now. Every continuation and every timer belongs to the life that began it. */
export const running = new AsyncLocalStorage<Life>();
