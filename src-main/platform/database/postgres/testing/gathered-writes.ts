import { AsyncLocalStorage } from 'node:async_hooks';
import type { PostgresDatabase } from '../postgres-database.ts';

/**
 * Lets the writes of several callers come in one batch, whatever each of them does before: none begins until every
 * caller has asked for a write or has ended.
 */
export class GatheredWrites {
  readonly database: PostgresDatabase;
  #held: (() => void)[] = [];
  /** How many callers have not ended. */
  #callers = 0;

  constructor(real: PostgresDatabase) {
    const write: PostgresDatabase['write'] = (job, touches) => {
      if (this.#callers === 0) return real.write(job, touches);
      const asCaller = AsyncLocalStorage.snapshot();
      return new Promise((resolve, reject) => {
        this.#held.push(() => asCaller(() => real.write(job, touches).then(resolve, reject)));
        this.#look();
      });
    };
    this.database = new Proxy(real, {
      get: (of, name) => {
        const value: unknown = name === 'write' ? write : Reflect.get(of, name, of);
        return typeof value === 'function' && name !== 'write' ? value.bind(of) : value;
      },
    });
  }

  /** Runs the callers at once. @returns how they ended. */
  async all(callers: readonly (() => Promise<unknown>)[]): Promise<PromiseSettledResult<unknown>[]> {
    this.#callers = callers.length;
    return await Promise.allSettled(
      callers.map((caller) =>
        caller().finally(() => {
          this.#callers -= 1;
          this.#look();
        }),
      ),
    );
  }

  #look(): void {
    if (this.#held.length < this.#callers || this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    for (const begin of held) begin();
  }
}
