import { inspect, isDeepStrictEqual } from 'node:util';
import type { Queued } from '../../commits/write-queue.ts';
import type { Batch } from '../batch.ts';
import { type Interleaver, isRead, type Outcome } from '../job-run.ts';
import type { Rehearsal } from '../options.ts';
import type { Session } from '../session.ts';
import { wordsOf } from '../side-by-side.ts';
import { SeededInterleaver } from './seeded-interleaver.ts';

/** More jobs than this have too many orders. The checker looks at the first ones of a larger batch. */
const MOST_JOBS = 4;
/** Tables that say how the engine got on, and not what the jobs did. */
const OF_THE_ENGINE = ['turns', 'turn_writers', '__drizzle_migrations'];

interface CheckerOptions {
  /** One interleaving is tried for each seed. */
  seeds: readonly number[];
  /**
   * Columns whose values may depend on the interleaving, by the name of their table, such as the place of an event
   * among all events.
   */
  ignoring?: Record<string, readonly string[]>;
}

/** What a select has read. */
interface Read {
  sql: string;
  params: readonly unknown[];
  rows: unknown[][];
}

/** What a run of jobs did. */
interface Result {
  /** How each job went, by its place. */
  outcomes: Outcome[];
  /** The rows of each table after it. */
  rows: unknown[][];
}

/**
 * Checks what jobs name as that which they touch. It is a rehearsal: pass {@link rehearsal} as the option `rehearse` of
 * a database, and let a test ask for writes at the same time. For each batch of two to four jobs it tries that
 * - every interleaving of their statements ends as some order of the whole jobs does, in results and in rows;
 * - no job's select reads what another job has written with which it shares no word.
 * Every run is undone. What it finds is in {@link findings}, which a test expects to be empty.
 */
export class SideBySideChecker {
  readonly findings: string[] = [];
  /** How many batches, and how many interleavings of them, were checked. */
  readonly checked = { batches: 0, interleavings: 0 };
  readonly #options: CheckerOptions;
  #tables: string | undefined;

  constructor(options: CheckerOptions) {
    this.#options = options;
  }

  readonly rehearsal: Rehearsal = async (all, batch, session) => {
    const jobs = all.slice(0, MOST_JOBS);
    if (jobs.length < 2) return;
    this.checked.batches += 1;
    const runs = new TrialRuns(batch, session, await this.#tablesOf(session));
    await this.#checkReads(runs, jobs);
    await this.#checkInterleavings(runs, jobs);
  };

  /** Two jobs that share no word: what the second one reads is the same whether or not the first one has run. */
  async #checkReads(runs: TrialRuns, jobs: readonly Queued[]): Promise<void> {
    for (const reader of jobs) {
      const others = jobs.filter((other) => other !== reader && shareNoWord(reader, other));
      if (others.length === 0) continue;
      const alone = await runs.readsOf(reader);
      for (const writer of others) {
        const found = firstDifference(alone, await runs.readsOf(reader, writer));
        if (found !== undefined)
          this.#find(`${nameOf(reader)} reads what ${nameOf(writer)} wrote, and they share no word: ${found.sql} ${shown(found.params)}`);
      }
    }
  }

  async #checkInterleavings(runs: TrialRuns, jobs: readonly Queued[]): Promise<void> {
    const serial: Result[] = [];
    for (const order of ordersOf(jobs.map((_, place) => place))) serial.push(await runs.inOrder(jobs, order));
    for (const seed of this.#options.seeds) {
      const interleaver = new SeededInterleaver(seed);
      const result = await runs.sideBySide(jobs, interleaver);
      this.checked.interleavings += 1;
      // When a job fails, nothing of such a run is stored.
      if (result === undefined || serial.some((one) => isDeepStrictEqual(one, result))) continue;
      this.#find(
        `no order of ${jobs.map(nameOf).join(', ')} ends as their interleaving ${interleaver.order.join(' ')} (seed ${seed}): ${differences(result, serial)}`,
      );
    }
  }

  #find(finding: string): void {
    if (!this.findings.includes(finding)) this.findings.push(finding);
  }

  /** A query for the rows of all tables. */
  async #tablesOf(session: Session): Promise<string> {
    if (this.#tables !== undefined) return this.#tables;
    const names = (await session.ask('select tablename::text from pg_tables where schemaname = current_schema() order by 1', [])).map(
      String,
    );
    const queries = names
      .filter((name) => !OF_THE_ENGINE.includes(name))
      .map((name) => {
        const ignored = (this.#options.ignoring?.[name] ?? []).map((column) => ` - '${column}'`).join('');
        const row = `(to_jsonb(t)${ignored})::text`;
        return `select '${name}', coalesce(string_agg(${row}, ' ' order by ${row} collate "C"), '') from "${name}" t`;
      });
    // PostgreSQL may read the tables at once, and then answers in any order.
    this.#tables = `${queries.join(' union all ')} order by 1`;
    return this.#tables;
  }
}

/** Runs jobs, and undoes what they have done. */
class TrialRuns {
  readonly #batch: Batch;
  readonly #session: Session;
  readonly #tables: string;

  constructor(batch: Batch, session: Session, tables: string) {
    this.#batch = batch;
    this.#session = session;
    this.#tables = tables;
  }

  /** What the selects of `job` read, after `first` has run. */
  readsOf(job: Queued, first?: Queued): Promise<Read[]> {
    return this.#batch.undone(async () => {
      if (first !== undefined) await this.#alone(first);
      const recorder = new ReadRecorder();
      await this.#alone(job, recorder);
      return recorder.reads;
    });
  }

  /** Runs the jobs one after the other. */
  inOrder(jobs: readonly Queued[], order: readonly number[]): Promise<Result> {
    return this.#batch.undone(async () => {
      const outcomes: Outcome[] = [];
      for (const place of order) {
        const job = jobs[place];
        if (job !== undefined) outcomes[place] = await this.#alone(job);
      }
      return { outcomes, rows: await this.#rows() };
    });
  }

  /** @returns undefined when a job has failed. */
  sideBySide(jobs: readonly Queued[], interleaver: Interleaver): Promise<Result | undefined> {
    return this.#batch.undone(async () => {
      const ran = await this.#batch.together(jobs, interleaver);
      const outcomes = ran.map(({ outcome }) => comparable(outcome));
      return outcomes.some((outcome) => 'error' in outcome) ? undefined : { outcomes, rows: await this.#rows() };
    });
  }

  /** Runs one job. When it fails, only it is undone. */
  async #alone(job: Queued, interleaver?: Interleaver): Promise<Outcome> {
    this.#say('savepoint one');
    const [ran] = await this.#batch.together([job], interleaver);
    if (ran === undefined) throw new Error('a job has not run');
    if ('error' in ran.outcome) this.#say('rollback to savepoint one');
    this.#say('release savepoint one');
    return comparable(ran.outcome);
  }

  /** Sends a statement whose failure shows at the next one. */
  #say(sql: string): void {
    this.#session.send(sql).catch(() => undefined);
  }

  #rows(): Promise<unknown[][]> {
    return this.#session.ask(this.#tables, []);
  }
}

/** Keeps what selects read. */
class ReadRecorder implements Interleaver {
  readonly reads: Read[] = [];

  async pass(_: number, send: () => Promise<unknown[][]>, sql: string, params: readonly unknown[]): Promise<unknown[][]> {
    const rows = await send();
    if (isRead(sql)) this.reads.push({ sql, params, rows });
    return rows;
  }
}

/**
 * The first select with other rows. Where the selects themselves differ, the job has gone another way because of what a
 * writing statement told it, which needs no word.
 */
function firstDifference(alone: readonly Read[], after: readonly Read[]): Read | undefined {
  for (const [place, read] of alone.entries()) {
    const other = after[place];
    if (other === undefined || other.sql !== read.sql || !isDeepStrictEqual(other.params, read.params)) return undefined;
    if (!isDeepStrictEqual(other.rows, read.rows)) return read;
  }
  return undefined;
}

/**
 * Finds how a result differs from each order of the whole jobs: the outcomes, or the rows of a table that only one has.
 */
function differences(result: Result, serial: readonly Result[]): string {
  const each = serial.map((one) => {
    const outcomes = isDeepStrictEqual(one.outcomes, result.outcomes) ? [] : [{ here: result.outcomes, there: one.outcomes }];
    const tables = result.rows.flatMap(([name, rows], place) => {
      const [here, there] = [rowsOf(rows), rowsOf(one.rows[place]?.[1])];
      const [only, missing] = [here.filter((row) => !there.includes(row)), there.filter((row) => !here.includes(row))];
      return only.length + missing.length === 0 ? [] : [{ table: name, here: only, there: missing }];
    });
    return [...outcomes, ...tables];
  });
  return shown(each);
}

/** The rows of a table, as {@link SideBySideChecker} has asked for them. */
const rowsOf = (rows: unknown): string[] => String(rows).split(/(?<=\}) (?=\{)/);

function shareNoWord(a: Queued, b: Queued): boolean {
  const [words, others] = [wordsOf(a), wordsOf(b)];
  return words !== undefined && others !== undefined && !words.some((word) => others.includes(word));
}

/** Every order of the places. */
function ordersOf(places: readonly number[]): number[][] {
  if (places.length === 0) return [[]];
  return places.flatMap((first) => ordersOf(places.filter((place) => place !== first)).map((rest) => [first, ...rest]));
}

const comparable = (outcome: Outcome): Outcome => ('error' in outcome ? { error: String(outcome.error) } : outcome);
const nameOf = ({ touches = [] }: Queued): string => `the job of (${touches.join(', ')})`;
const shown = (value: unknown): string => inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY });
