import { storageWords } from '../../../../src-shared/words/storage.ts';
import { systemClock } from '../../clock.ts';
import { type Database, DatabaseBusy, type Reader, type Tx } from '../database.ts';
import { currentJobContext, isRefusable, withoutJobContext } from '../job-context.ts';
import { builder } from '../query-builder/builder.ts';
import type { DiskUse } from '../space.ts';
import { type Heartbeat, PostgresHeartbeat } from './heartbeat.ts';
import { type PostgresOptions, type Rehearsal, TIMES, type Times } from './options.ts';
import { ReaderPool } from './reader-pool.ts';
import { Session, type SessionSettings } from './session.ts';
import { Snapshots } from './snapshots.ts';
import { Statements } from './statements.ts';
import { type SeenTurns, Turns } from './turns.ts';
import { WakeUps } from './wake-ups.ts';
import { Writer } from './writer.ts';

/** The ordinary tables of the node. */
const SIZES = `
  select relname::text, pg_total_relation_size(oid) from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace`;

/** The facts that the server tells of itself. */
export interface AboutServer {
  /** The version, such as `16.4`. */
  readonly version: string;
  /**
   * The last time that the server copied a part of its log away (`archive_command`), in milliseconds since the Unix
   * epoch. It is null where it never did. A managed server may back itself up in another way, of which nobody tells.
   */
  readonly archivedAt: number | null;
}

const SERVER = `
  select current_setting('server_version'), (select (extract(epoch from last_archived_time) * 1000)::int8 from pg_stat_archiver)`;

const SEEN = 'select term, (select batch from turn_writers where writer = ?) from turns where id = 1';

/** The connections that answer questions, and those for the operator's long ones. */
const READERS = 4;
const ASIDE_READERS = 2;

/**
 * PostgreSQL, which several processes of the same node may share. One connection writes, in turns with those of the
 * other processes. A few connections read, and one hears of what others commit.
 */
export class PostgresDatabase implements Database {
  readonly read: Reader;
  readonly readAside: Reader;
  readonly #times: Times;
  readonly #dial: (settings: Partial<SessionSettings>) => () => Session;
  readonly #turns = new Turns();
  readonly #readers: ReaderPool;
  readonly #asideReaders: ReaderPool;
  readonly #snapshots: Snapshots;
  readonly #writer: Writer;
  readonly #wakeUps: WakeUps | undefined;
  readonly #listeners = new Set<() => void>();

  /**
   * Opens no connection yet: the first job does. A server that does not answer is no error here: reads and writes wait
   * for it.
   * @param url `postgres://user:password@host:port/database`, with what else the driver `pg` understands. The database
   * has the node's tables and those of turns.
   */
  constructor(url: string, options: PostgresOptions = {}) {
    this.#times = { ...TIMES, ...options.times };
    const { statement, aside, idleInTurn, silence } = this.#times;
    const statements = new Statements();
    const dial = (settings: Partial<SessionSettings>) => () =>
      new Session({
        ...{ url, ready: options.ready, statements, readOnly: true, statementMs: statement, idleMs: idleInTurn, silenceMs: silence },
        // What is done about it is not the work of the caller who has met it.
        onDamaged: (error) => withoutJobContext(() => options.onDamaged?.(error)),
        ...settings,
      });
    this.#dial = dial;
    const clock = systemClock;
    this.#readers = new ReaderPool({ clock, dial: dial({}), size: READERS });
    this.#asideReaders = new ReaderPool({
      ...{ clock, size: ASIDE_READERS },
      dial: dial({ statementMs: aside, silenceMs: aside + silence }),
    });
    this.#snapshots = new Snapshots({ clock, dial: dial({ statementMs: aside, silenceMs: aside + silence }), size: ASIDE_READERS });
    this.read = builder(this.#readers.execute);
    this.readAside = builder(this.#asideReaders.execute);
    this.#writer = new Writer({
      ...{ clock, turns: this.#turns, times: this.#times, interleaver: options.interleaver },
      dial: dial({ readOnly: false }),
      rehearsal: rehearsalOf(options.rehearse),
      onCommitted: () => {
        this.#callListeners();
        this.#wakeUps?.tell();
      },
      onStopped: (reason) => options.onStopped?.(reason),
    });
    if (options.listens === false) return;
    this.#wakeUps = new WakeUps({
      ...{ clock, dial: dial({}), turns: this.#turns, times: this.#times },
      onHeard: () => this.#callListeners(),
      onWentBack: (error) => this.#writer.stop(error),
    });
  }

  /** Commits and jobs since the start. More jobs than commits show how much sharing turns saves. */
  get stats(): { readonly commits: number; readonly jobs: number } {
    return this.#writer.stats;
  }

  /** The newest term that is known to be committed. It grows with every commit in the cluster. */
  get term(): bigint {
    return this.#turns.committed;
  }

  /** This process's knowledge of the turns. */
  get seenTurns(): SeenTurns {
    return this.#turns.seen;
  }

  get stopped(): Error | undefined {
    return this.#writer.stopped;
  }

  get notStored(): Error | undefined {
    return this.#writer.notStored;
  }

  get isBusy(): boolean {
    return this.#writer.isBusy;
  }

  /** The time for which no turn has ended though one is wanted, in milliseconds. It is 0 while none is wanted. */
  get turnless(): number {
    return this.#writer.turnless;
  }

  /** Opens the connection by which this process tells the others that it lives. The caller closes it. */
  heartbeat(): Heartbeat {
    const ms = this.#times.heartbeat;
    return new PostgresHeartbeat(this.#dial({ readOnly: false, statementMs: ms, silenceMs: 2 * ms }), (term) => this.#wakeUps?.sees(term));
  }

  write<T>(job: (tx: Tx) => Promise<T>, touches?: readonly string[]): Promise<T> {
    if (this.stopped) return Promise.reject(this.stopped);
    const refusable = isRefusable();
    if (refusable && this.isBusy) return Promise.reject(new DatabaseBusy(storageWords.busy));
    const context = currentJobContext();
    const words = context === undefined ? touches : alsoActing(touches);
    return new Promise<T>((resolve, reject) => {
      withoutJobContext(() =>
        this.#writer.add({
          ...{ job, context, touches: words, isRefusable: refusable, reject },
          resolve: resolve as (value: unknown) => void,
        }),
      );
    });
  }

  readAtOnce<T>(look: (read: Reader, aside: Reader) => Promise<T>): Promise<T> {
    return withoutJobContext(() => this.#snapshots.take((reader) => look(reader, reader)));
  }

  onCommit(listener: () => void): () => void {
    this.#listeners.add(listener);
    withoutJobContext(() => this.#wakeUps?.start());
    return () => this.#listeners.delete(listener);
  }

  /**
   * Whether the database still has what a process has seen of it (decisions.md#D-101).
   * @param seen has no commits when the row of that process may have gone, which happens after 90 days.
   */
  async hasSeen({ term, writer, commits }: SeenTurns): Promise<boolean> {
    const { rows } = await this.#readers.execute(SEEN, [writer], 'get');
    const [now, batch] = rows as [bigint, bigint | null];
    return now >= term && (batch ?? 0n) >= commits;
  }

  /** Asks the server for facts about itself. */
  async aboutServer(): Promise<AboutServer> {
    const { rows } = await this.#readers.execute(SERVER, [], 'get');
    const [version, archivedAt] = rows as [string, bigint | null];
    // What follows the number names who has packaged it.
    return { version: version.split(' ')[0] ?? version, archivedAt: archivedAt === null ? null : Number(archivedAt) };
  }

  /** The server gives space back by itself. */
  async giveBack(): Promise<boolean> {
    return false;
  }

  /** The server's log waits for no reader. */
  async isLogHeld(): Promise<boolean> {
    return false;
  }

  /** The server has the pages. */
  async rest(): Promise<void> {}

  async usedBytes(): Promise<number> {
    const { rows } = await this.#readers.execute('select pg_database_size(current_database())', [], 'get');
    return Number(rows[0]);
  }

  /**
   * The room that the tables take on the server, with their indexes. The server tells nothing of its disk.
   * @param folder whose disk the node measures instead.
   */
  async measure(): Promise<DiskUse> {
    const { rows } = await this.#asideReaders.execute(SIZES, [], 'all');
    const tables = (rows as [string, bigint][]).map(([table, bytes]) => ({ table, bytes: Number(bytes) }));
    return { tables, free: 0, total: await this.usedBytes(), room: null, shrinks: true };
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await Promise.all([this.#wakeUps?.close(), this.#readers.close(), this.#asideReaders.close(), this.#snapshots.close()]);
  }

  #callListeners(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The word of each job that has a context: such jobs write into one chain of what was done (decisions.md#D-111). */
const ACTING = 'acting';

/** A job that names nothing still runs alone. */
const alsoActing = (touches: readonly string[] = []): readonly string[] => (touches.length === 0 ? [] : [...touches, ACTING]);

/** Runs each job apart from the others and undoes it. */
const apart: Rehearsal = async (jobs, batch) => {
  await batch.undone(() => batch.apart(jobs));
};

const rehearsalOf = (rehearse: PostgresOptions['rehearse']): Rehearsal | undefined =>
  typeof rehearse === 'function' ? rehearse : rehearse === true ? apart : undefined;
