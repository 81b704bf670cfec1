import { AsyncLocalStorage } from 'node:async_hooks';

/** What a {@link WakeLoop} does, and how often it does it without a wake-up. */
interface Looking {
  /**
   * Looks for work and does the work that it finds. It resolves with `true` when there may be more to do at once.
   * It handles its own errors, because the loop catches none.
   */
  look: () => Promise<boolean>;
  /** The milliseconds between looks without a wake-up. Without it the loop looks only when it is woken. */
  everyMs?: number;
}

/**
 * A loop that is woken, looks until it finds nothing more, and sleeps. It never makes two looks at a time. After every
 * wake-up a look begins.
 */
export class WakeLoop {
  readonly #looking: Looking;
  /** The loop belongs to whoever made it. What wakes it, such as a request, says nothing about what the loop does. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(looking: Looking) {
    this.#looking = looking;
  }

  /** Looks now, and then every `everyMs` milliseconds if that is set. The timer does not keep the process alive. */
  start(): void {
    const { everyMs } = this.#looking;
    // A timer without a period would fire every millisecond.
    if (everyMs !== undefined) this.#timer = setInterval(() => this.wake(), everyMs).unref();
    this.wake();
  }

  /** Wakes the loop, because there may be work. It costs little and may be called at any time. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.#outside(() => Promise.resolve().then(() => this.#run()));
  }

  /** Begins no further look. It resolves once the look under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        if (await this.#looking.look()) this.#again = true;
      }
    } finally {
      // The loop ends in the same turn in which it finds no wake-up. A wake-up that comes a microtask later starts it
      // again.
      this.#running = undefined;
    }
  }
}
