import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { Core } from '../../platform/core.ts';
import type { Database } from '../../platform/database/database.ts';
import { grants } from '../tables.ts';

/** How long uses are gathered before they are written down, in milliseconds. After `kill -9` that much of them is forgotten. */
const GATHER_MS = 30_000;

interface Parts extends Pick<Core, 'clock'> {
  database: Pick<Database, 'write'>;
  onError: (error: unknown) => void;
}

/**
 * When each grant was last used: a token of it passed, with a right signature. Requests come by the thousand, so they are noted in memory, and one write now and
 * then keeps them.
 */
export class GrantUses {
  readonly #parts: Parts;
  /** What is not written down yet, in milliseconds since the epoch. */
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

  /** The last use of a grant. @param stored what is written down of it */
  lastOf({ id, lastUsedAt: stored }: { id: string; lastUsedAt: number | null }): number | null {
    const seen = this.#seen.get(id);
    return seen === undefined ? stored : Math.max(seen, stored ?? 0);
  }

  /** Writes down what was noted and stops. */
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
      await this.#parts.database.write(async (tx) => {
        for (const [id, at] of uses)
          await tx
            .update(grants)
            .set({ lastUsedAt: at })
            .where(and(eq(grants.id, id), or(isNull(grants.lastUsedAt), lt(grants.lastUsedAt, at))));
      });
      for (const [id, at] of uses) if (this.#seen.get(id) === at) this.#seen.delete(id);
    } catch (error) {
      // They stay noted, and the next use begins anew.
      this.#parts.onError(error);
    }
  }
}
