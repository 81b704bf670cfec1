import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import type { Reader } from '../database.ts';
import { builder } from '../query-builder/builder.ts';
import { ConnectionLost } from './errors.ts';
import { ASKED_AGAIN_MS, PAUSE_MS } from './reader-pool.ts';
import type { Session } from './session.ts';

interface Parts {
  clock: Pick<Clock, 'monotonic'>;
  /** Makes a session that only reads. */
  dial: () => Session;
  /** How many looks there are at the same time at most. */
  size: number;
}

/** A session, and the reader of it, which keeps its built queries. */
interface Place {
  session: Session;
  reader: Reader;
}

/** Answers questions that belong together as of one moment, each look in a transaction of its own. */
export class Snapshots {
  readonly #parts: Parts;
  readonly #idle: Place[] = [];
  readonly #all = new Set<Session>();
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Runs a look, and runs it again when its connection goes. It changes nothing.
   * @throws ConnectionLost when the server stays away.
   */
  async take<T>(look: (reader: Reader) => Promise<T>): Promise<T> {
    const since = this.#parts.clock.monotonic();
    if (this.#taken >= this.#parts.size) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken += 1;
    try {
      for (let tries = 1; ; tries += 1) {
        const place = this.#place();
        try {
          return await this.#lookBy(place, look);
        } catch (error) {
          // The query builder has its own error around that of the connection.
          const isLost = error instanceof ConnectionLost || place.session.lost !== undefined;
          if (!isLost || this.#parts.clock.monotonic() - since >= ASKED_AGAIN_MS) throw error;
        }
        if (tries > 1) await pause(PAUSE_MS);
      }
    } finally {
      // Who waits takes the place over.
      const next = this.#waiting.shift();
      if (next === undefined) this.#taken -= 1;
      else next();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((session) => session.end()));
  }

  async #lookBy<T>(place: Place, look: (reader: Reader) => Promise<T>): Promise<T> {
    const { session, reader } = place;
    try {
      await session.opened();
      await session.send('begin isolation level repeatable read read only');
      return await look(reader);
    } finally {
      if (session.lost === undefined) await session.send('rollback').catch(() => undefined);
      if (session.isSpent) {
        this.#all.delete(session);
        void session.end();
      } else this.#idle.push(place);
    }
  }

  #place(): Place {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    const session = this.#parts.dial();
    this.#all.add(session);
    const reader = builder(async (sql, params, method) => {
      const rows = await session.execute(sql, params);
      return { rows: method === 'get' ? (rows[0] as unknown[]) : rows };
    });
    return { session, reader };
  }
}
