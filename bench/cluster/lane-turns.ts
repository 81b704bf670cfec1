import { Session, type SessionSettings } from '../../src-main/platform/database/postgres/session.ts';

/** What waits for a turn: the lanes that it needs, in ascending order, and its statements. */
interface Waiting {
  readonly lanes: readonly number[];
  readonly job: Job;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** The statements of one job. It runs beside the others of its turn. */
export type Job = (session: Session) => Promise<void>;

const TAKE = 'select term from lanes where id = any($1::int8[]) order by id for update';
const COUNT = 'update lanes set term = term + 1 where id = any($1::int8[])';

/**
 * The prototype of several write turns: a turn holds the lanes of its jobs, and turns that have no lane in common run
 * beside each other, each on a connection of its own. One lane is what the product has.
 *
 * It is for the bench. It has no refused jobs, no lost connections and one process.
 */
export class LaneTurns {
  /** How many turns were taken. */
  turns = 0;
  readonly #idle: Session[];
  readonly #sessions: readonly Session[];
  readonly #most: number;
  readonly #busy = new Set<number>();
  #waiting: Waiting[] = [];
  #isPlanned = false;

  /** @param most how many jobs a turn takes. */
  constructor(settings: SessionSettings, { lanes, most }: { lanes: number; most: number }) {
    this.#sessions = Array.from({ length: lanes }, () => new Session(settings));
    this.#idle = [...this.#sessions];
    this.#most = most;
  }

  /** Runs a job in a turn that holds these lanes. Resolves when its turn is committed. */
  write(lanes: readonly number[], job: Job): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ lanes: [...new Set(lanes)].toSorted((a, b) => a - b), job, done, failed });
      this.#plan();
    });
  }

  async end(): Promise<void> {
    await Promise.all(this.#sessions.map((session) => session.end()));
  }

  /** Whatever is written in the same turn of the event loop may share a turn. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#begin();
    });
  }

  /** Begins a turn that can begin, and looks for another one. */
  #begin(): void {
    const lanes = this.#startable();
    const session = lanes && this.#idle.pop();
    if (lanes === undefined || session === undefined) return;
    const turn = this.#waiting.filter((one) => one.lanes.every((lane) => lanes.includes(lane))).slice(0, this.#most);
    const chosen = new Set(turn);
    this.#waiting = this.#waiting.filter((one) => !chosen.has(one));
    for (const lane of lanes) this.#busy.add(lane);
    void this.#run(session, lanes, turn);
    this.#plan();
  }

  /**
   * The lanes of the oldest job that can begin. Nobody younger takes a lane for which the oldest one waits. Otherwise a
   * job with two lanes might wait for ever.
   */
  #startable(): readonly number[] | undefined {
    const [oldest] = this.#waiting;
    const isFree = (lane: number): boolean => !this.#busy.has(lane);
    if (oldest === undefined || oldest.lanes.every(isFree)) return oldest?.lanes;
    return this.#waiting.find(({ lanes }) => lanes.every((lane) => isFree(lane) && !oldest.lanes.includes(lane)))?.lanes;
  }

  async #run(session: Session, lanes: readonly number[], turn: readonly Waiting[]): Promise<void> {
    try {
      await session.opened();
      const wanted = `{${lanes.join(',')}}`;
      await Promise.all([session.send('begin'), session.ask(TAKE, [wanted], 'take'), session.ask(COUNT, [wanted], 'count')]);
      await Promise.all(turn.map(({ job }) => job(session)));
      await session.send('commit');
      this.turns += 1;
      for (const { done } of turn) done();
    } catch (error) {
      for (const { failed } of turn) failed(error);
    } finally {
      for (const lane of lanes) this.#busy.delete(lane);
      this.#idle.push(session);
      this.#plan();
    }
  }
}
