import { AsyncLocalStorage } from 'node:async_hooks';
import { systemClock } from '../../src-main/platform/clock.ts';
import { type Life, running } from './lives.ts';

interface Pending {
  readonly id: number;
  at: number;
  readonly every: number | undefined;
  readonly action: () => void;
  /** The life that set the timer. The timer dies with it. */
  readonly life: Life | undefined;
}

/** The part of `setTimeout`'s return value that callers use. */
class Handle {
  readonly id: number;
  constructor(id: number) {
    this.id = id;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  refresh(): this {
    return this;
  }
  [Symbol.toPrimitive](): number {
    return this.id;
  }
}

/**
 * Time that passes only when the caller moves it. While it is installed, it provides every timer of this process and
 * the clock by which the database measures its waits, so that code with timers runs unchanged and in an order that
 * repeats, however busy the machine is. `setImmediate` stays real, because it orders work and measures no time.
 */
export class VirtualTime {
  #now: number;
  #ids = 0;
  readonly #pending = new Map<number, Pending>();
  readonly #real = {
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    clearTimeout: globalThis.clearTimeout,
    clearInterval: globalThis.clearInterval,
    timeout: AbortSignal.timeout,
  };
  readonly #realClock = { ...systemClock };

  /** @param startMs milliseconds since the Unix epoch. */
  constructor(startMs: number) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }
  monotonic(): number {
    return this.#now;
  }

  install(): void {
    const clear = (handle: unknown): void => {
      if (handle instanceof Handle) this.#pending.delete(handle.id);
    };
    const add =
      (repeats: boolean) =>
      (action: (...args: unknown[]) => void, ms = 1, ...args: unknown[]): Handle => {
        const life = running.getStore();
        const inContext = AsyncLocalStorage.snapshot();
        // Node takes whole milliseconds, too.
        const every = Math.max(1, Math.trunc(Number(ms)) || 1);
        return this.#add({
          at: this.#now + every,
          every: repeats ? every : undefined,
          action: () => inContext(() => action(...args)),
          life,
        });
      };
    const timeout = (ms: number): AbortSignal => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('The time is up.', 'TimeoutError')), ms);
      return controller.signal;
    };
    Object.assign(systemClock, { now: () => this.#now, monotonic: () => this.#now });
    Object.assign(AbortSignal, { timeout });
    Object.assign(globalThis, { setTimeout: add(false), setInterval: add(true), clearTimeout: clear, clearInterval: clear });
  }

  uninstall(): void {
    const { timeout, ...timers } = this.#real;
    Object.assign(globalThis, timers);
    Object.assign(AbortSignal, { timeout });
    Object.assign(systemClock, this.#realClock);
    this.#pending.clear();
  }

  /** Runs `action` after `ms` milliseconds, in the life that runs then. */
  after(ms: number, action: () => void): void {
    this.#add({ at: this.#now + ms, every: undefined, action, life: undefined });
  }

  /**
   * Moves on to `to` or to the next timer, whichever comes first, and runs what is due then.
   * @returns whether something was due.
   */
  step(to: number): boolean {
    const due = this.#earliest();
    if (due === undefined || due.at > to) {
      this.#now = Math.max(this.#now, to);
      return false;
    }
    this.#now = Math.max(this.#now, due.at);
    if (due.every === undefined) this.#pending.delete(due.id);
    else due.at += due.every;
    due.action();
    return true;
  }

  /** Time passes in which nothing happens, as on a computer that sleeps. What was due meanwhile is due now, once. */
  leap(ms: number): void {
    this.#now += ms;
    for (const pending of this.#pending.values()) pending.at = Math.max(pending.at, this.#now);
  }

  #earliest(): Pending | undefined {
    let earliest: Pending | undefined;
    for (const pending of this.#pending.values()) {
      if (pending.life?.alive === false) this.#pending.delete(pending.id);
      else if (earliest === undefined || pending.at < earliest.at) earliest = pending;
    }
    return earliest;
  }

  #add(pending: Omit<Pending, 'id'>): Handle {
    this.#ids += 1;
    this.#pending.set(this.#ids, { id: this.#ids, ...pending });
    return new Handle(this.#ids);
  }
}
