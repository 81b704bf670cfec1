import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { Core } from '../../platform/core.ts';
import type { Database } from '../../platform/database/database.ts';
import { grants } from '../tables.ts';

/**
 * How long the node gathers uses before it stores them, in milliseconds. After `kill -9` it has lost the uses of that
 * time.
 */
const GATHER_MS = 30_000;

interface Parts extends Pick<Core, 'clock'> {
  database: Pick<Database, 'write'>;
  onError: (error: unknown) => void;
}

/**
 * Remembers when each grant was last used: when a request with a token of it and a valid signature came. Thousands of
 * requests come, so it notes uses in memory and stores them together from time to time.
 */
export class GrantUses {
  readonly #parts: Parts;
  /** The last uses that are not stored yet, by grant, in milliseconds since the Unix epoch. */
  readonly #seen = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Notes a use that happens now. */
  note(grantId: string): void {
    this.#seen.set(grantId, this.#parts.clock.now());
    this.#timer ??= setTimeout(() => void this.#write(), GATHER_MS);
  }

  /** The last use of a grant, in milliseconds since the Unix epoch. It is null when the grant was never used. */
  lastOf({ id, lastUsedAt: stored }: { id: string; lastUsedAt: number | null }): number | null {
    const seen = this.#seen.get(id);
    return seen === undefined ? stored : Math.max(seen, stored ?? 0);
  }

  /** Stores what was noted and stops. */
  async stop(): Promise<void> {
    await this.#write();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = [...this.#seen];
    if (uses.length === 0) return;
    try {
      await this.#parts.database.write(
        async (tx) => {
          for (const [id, at] of uses)
            await tx
              .update(grants)
              .set({ lastUsedAt: at })
              .where(and(eq(grants.id, id), or(isNull(grants.lastUsedAt), lt(grants.lastUsedAt, at))));
        },
        ['grant uses'],
      );
      for (const [id, at] of uses) if (this.#seen.get(id) === at) this.#seen.delete(id);
    } catch (error) {
      // The uses stay noted, and the next use starts the timer again.
      this.#parts.onError(error);
    }
  }
}
