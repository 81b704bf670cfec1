import type { Session } from './session.ts';

/** A row of the replicas, as the server has it. Times are those of the server, in milliseconds since the Unix epoch. */
interface Heard {
  readonly id: string;
  readonly seenAt: number;
  readonly startedAt: number;
  readonly leaving: boolean;
}

/** What a replica hears with each beat. */
export interface Beat {
  /** What the clock of the server says, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** All replicas that have a row, this one as well. */
  readonly replicas: readonly Heard[];
  /** Whether the own row is there. Others remove it when they have not heard of this process for some seconds. */
  readonly isKnown: boolean;
  /** The oldest schema with which a process may still work: the time of its migration, or 0. */
  readonly oldestReader: number;
}

/** Tells the others that this process lives, and hears of them. */
export interface Heartbeat {
  /** @param report what the others may know of this process, as JSON. @throws Error when the server does not answer. */
  beat(id: string, report: string): Promise<Beat>;
  close(): Promise<void>;
}

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`;
/** One statement, and no turn: it waits for nobody but who changes the same row. */
const BEAT = `
  with told as (update replicas set seen_at = ${NOW}, report = $2 where id = $1 returning id)
  select ${NOW}, (select count(*) from told), (select oldest_reader from turns where id = 1), (select term from turns where id = 1), id, seen_at, started_at, leaving
  from (values (1)) as one left join replicas on true`;

/** Beats over a connection of its own. */
export class PostgresHeartbeat implements Heartbeat {
  readonly #dial: () => Session;
  readonly #sees: (term: bigint) => void;
  #session: Session | undefined;
  #isClosed = false;

  /** @param sees is told the newest term with each beat. */
  constructor(dial: () => Session, sees: (term: bigint) => void) {
    this.#dial = dial;
    this.#sees = sees;
  }

  async beat(id: string, report: string): Promise<Beat> {
    const session = await this.#connected();
    const rows = await session.ask(BEAT, [id, report], 'paydesk_beat');
    const [[now, told, oldestReader, term] = []] = rows as bigint[][];
    if (now === undefined || term === undefined) throw new Error('the server has no clock');
    this.#sees(term);
    return {
      now: Number(now),
      isKnown: told === 1n,
      oldestReader: Number(oldestReader ?? 0n),
      replicas: rows
        .filter((row) => row[4] !== null)
        .map(([, , , , of, seenAt, startedAt, leaving]) => ({
          id: String(of),
          seenAt: Number(seenAt),
          startedAt: Number(startedAt),
          leaving: leaving === 1n,
        })),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#session?.end();
  }

  async #connected(): Promise<Session> {
    if (this.#isClosed) throw new Error('the heartbeat has ended');
    if (this.#session?.isSpent === true) {
      void this.#session.end();
      this.#session = undefined;
    }
    const isNew = this.#session === undefined;
    this.#session ??= this.#dial();
    await this.#session.opened();
    // A beat that a crash of the server takes back is followed by another.
    if (isNew) await this.#session.send('set synchronous_commit = off');
    return this.#session;
  }
}
