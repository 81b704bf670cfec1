import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import type { Execute } from '../query-builder/builder.ts';
import { ConnectionLost } from './errors.ts';
import type { Session } from './session.ts';

/** The node asks a question again for this long when its connection goes. The pause comes before. In milliseconds. */
export const ASKED_AGAIN_MS = 10_000;
export const PAUSE_MS = 100;

interface Parts {
  clock: Pick<Clock, 'monotonic'>;
  /** Makes a session that only reads. */
  dial: () => Session;
  /** How many sessions there are at most. */
  size: number;
}

/** Answers questions with a few sessions. Each question goes to the session with the fewest under way. */
export class ReaderPool {
  readonly #parts: Parts;
  readonly #sessions: Session[] = [];
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * A question changes nothing, so it is asked again when its connection goes.
   * @throws ConnectionLost when the server stays away.
   */
  readonly execute: Execute = async (sql, params, method) => {
    const { clock } = this.#parts;
    const since = clock.monotonic();
    for (let tries = 1; ; tries += 1) {
      try {
        const session = this.#session();
        await session.opened();
        const rows = await session.execute(sql, params);
        return { rows: method === 'get' ? (rows[0] as unknown[]) : rows };
      } catch (error) {
        const isLate = clock.monotonic() - since >= ASKED_AGAIN_MS;
        if (!(error instanceof ConnectionLost) || this.#isClosed || isLate) throw error;
      }
      if (tries > 1) await pause(PAUSE_MS);
    }
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#sessions.map((session) => session.end()));
  }

  #session(): Session {
    if (this.#isClosed) throw new Error('the database is closed');
    for (const [place, session] of this.#sessions.entries()) if (session.isSpent && session.pending === 0) this.#replace(place, session);
    const best = this.#sessions.reduce<Session | undefined>((a, b) => (a !== undefined && a.pending <= b.pending ? a : b), undefined);
    if (best !== undefined && (best.pending === 0 || this.#sessions.length >= this.#parts.size)) return best;
    const fresh = this.#parts.dial();
    this.#sessions.push(fresh);
    return fresh;
  }

  #replace(place: number, session: Session): void {
    void session.end();
    this.#sessions[place] = this.#parts.dial();
  }
}
