import { eq } from 'drizzle-orm';
import { type Clock, ManualClock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { Heartbeat } from '../../database/postgres/heartbeat.ts';
import { newId } from '../../ids.ts';
import { createLogger, type Logger } from '../../logs/logger.ts';
import { DatabaseClock } from '../database-clock.ts';
import { Replicas } from '../replicas.ts';
import { replicas } from '../tables.ts';

interface Wanted {
  aheadMs?: number;
  clock?: Clock;
  log?: Logger;
  turns?: () => number;
  configuration?: string;
}

/** A database server with a clock that a test sets, which the replicas of a node hear with their beats. */
export class ServerClock {
  now = 1_000_000;
  oldestReader = 0;
  isAway = false;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Makes a replica whose own clock is ahead by so many milliseconds. It has not joined yet. */
  replica(
    name: string,
    {
      aheadMs = 0,
      clock = new ManualClock(this.now + aheadMs),
      log = createLogger('silent'),
      configuration = '',
      turns = () => 0,
    }: Wanted = {},
  ): Replicas {
    return new Replicas({
      ...{ database: this.#database, clock: new DatabaseClock(clock), log, where: 'db.example:5432/books', newestMigration: 10 },
      turns,
      heartbeat: this.#heartbeat(),
      self: { id: newId(), name, version: '1.0.0', host: 'here', url: 'https://pay.example', configuration },
    });
  }

  #heartbeat(): Heartbeat {
    return {
      beat: async (id, report) => {
        if (this.isAway) throw new Error('the server is away');
        const { now, oldestReader } = this;
        const told = await this.#database.write((tx) =>
          tx.update(replicas).set({ seenAt: now, report }).where(eq(replicas.id, id)).returning({ id: replicas.id }),
        );
        const rows = await this.#database.read.select().from(replicas);
        return { now, oldestReader, isKnown: told.length > 0, replicas: rows };
      },
      close: async () => undefined,
    };
  }
}
