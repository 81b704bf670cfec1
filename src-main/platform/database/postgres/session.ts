import type pg from 'pg';
import { systemClock } from '../../clock.ts';
import { ConnectionLost, endsSession, isDamageAtServer } from './errors.ts';
import type { Statements } from './statements.ts';

/** The longest wait for a connection, in milliseconds. */
const CONNECT_MS = 5_000;
/** The most statements that a session keeps prepared. A session with more is replaced when it is idle. */
const MOST_PREPARED = 1_000;

export interface SessionSettings {
  url: string;
  /** Tests only: the session connects when this has happened. */
  ready?: Promise<unknown> | undefined;
  statements: Statements;
  /** The server ends a statement that takes longer, in milliseconds. */
  statementMs: number;
  /** The server ends the session when its transaction waits longer for the next statement, in milliseconds. */
  idleMs: number;
  /** The session gives up when nothing comes from the server for this long while it waits, in milliseconds. */
  silenceMs: number;
  readOnly: boolean;
  /** Called when the server cannot read a part of the database. */
  onDamaged?: ((error: unknown) => void) | undefined;
}

// The driver hands over bigint, string and null, as the other engine does. A truth value is 1 or 0 there. The numbers
// are those of PostgreSQL's catalogue pg_type: int8, int2, int4, numeric, bool.
const INTEGERS = new Set([20, 21, 23, 1700]);
const BOOL = 16;
const truth = (text: string): bigint => (text === 't' ? 1n : 0n);
const same = (text: string): string => text;
const types = { getTypeParser: (type: number) => (INTEGERS.has(type) ? BigInt : type === BOOL ? truth : same) };

/**
 * One connection to the server. Statements follow each other on it without waiting for answers. The server answers them
 * in the order in which they were sent (pg's pipeline mode).
 */
export class Session {
  /** The reason why nobody can use the session any more. */
  lost: ConnectionLost | undefined;
  /** How many statements have no answer yet. */
  pending = 0;
  #client: pg.Client | undefined;
  readonly #settings: SessionSettings;
  readonly #opened: Promise<void>;
  readonly #prepared = new Set<string>();
  /** The time at which the server was last heard, or began to owe an answer, by the monotonic clock. */
  #heard = 0;
  #watch: NodeJS.Timeout | undefined;
  #isCorked = false;

  constructor(settings: SessionSettings) {
    this.#settings = settings;
    this.#opened = this.#open().catch((error: unknown) => {
      this.destroy(error);
      throw this.lost;
    });
    // Whoever uses the session hears of it.
    this.#opened.catch(() => undefined);
  }

  /** Whether the pool should replace the session when nothing is under way. */
  get isSpent(): boolean {
    return this.lost !== undefined || this.#prepared.size >= MOST_PREPARED;
  }

  /** Resolves when the session can be used. @throws ConnectionLost */
  opened(): Promise<void> {
    return this.#opened;
  }

  /** Runs statements without values, such as `begin`. @returns what the server calls the last one. */
  async send(sql: string): Promise<string> {
    const answer: pg.QueryArrayResult | pg.QueryArrayResult[] = await this.#answered(
      this.#connection.query({ text: sql, rowMode: 'array' }),
    );
    return (Array.isArray(answer) ? answer.at(-1) : answer)?.command ?? '';
  }

  /** Runs a statement of the query builder. @returns its rows, each with its values in the order of the columns. */
  async execute(sql: string, params: unknown[]): Promise<unknown[][]> {
    const { text, name } = this.#settings.statements.of(sql, params);
    return await this.ask(text, params, name);
  }

  /** Runs a statement in PostgreSQL's own words. @param name is another one for each text. */
  async ask(text: string, values: unknown[], name?: string): Promise<unknown[][]> {
    if (name !== undefined) this.#prepared.add(name);
    return (await this.#answered(this.#connection.query<unknown[], unknown[]>({ name, text, values, rowMode: 'array' }))).rows;
  }

  /** Calls `listener` with the text of each notification. The caller waits until the session is open. */
  onNotification(listener: (payload: string) => void): void {
    this.#connection.on('notification', ({ payload = '' }) => listener(payload));
  }

  /** Ends the session when what was sent is answered. */
  async end(): Promise<void> {
    await this.#opened.catch(() => undefined);
    if (this.lost === undefined) await this.#client?.end().catch(() => undefined);
    this.destroy(undefined);
  }

  /** Ends the connection at once. What has no answer yet fails. */
  destroy(why: unknown): void {
    this.#lose(why);
    this.#client?.connection.stream.destroy();
  }

  get #connection(): pg.Client {
    if (this.#client === undefined) throw new Error('the session is not open yet');
    if (!this.#isCorked) this.#cork(this.#client.connection.stream);
    return this.#client;
  }

  /**
   * Holds statements back that are sent in the same turn of the event loop. They leave together, with one call of the
   * system, which costs more than a statement does. Questions wait for those of all requests that have arrived. Nobody
   * else waits for a question, but the whole cluster waits for a turn.
   */
  #cork(stream: pg.Connection['stream']): void {
    this.#isCorked = true;
    stream.cork();
    const uncork = (): void => {
      this.#isCorked = false;
      stream.uncork();
    };
    if (this.#settings.readOnly) setImmediate(uncork);
    // By then the jobs that could go on have said what they say next.
    else process.nextTick(uncork);
  }

  async #open(): Promise<void> {
    const { url, ready, statementMs, idleMs, readOnly } = this.#settings;
    await ready;
    // Only here is the driver loaded, so that a node with SQLite does without it.
    const { default: pg } = await import('pg');
    // It may have been ended meanwhile.
    if (this.lost !== undefined) throw this.lost;
    const client = new pg.Client({
      connectionString: url,
      pipeline: true,
      types,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 2_000,
    });
    client.on('error', (error) => this.#lose(error));
    client.on('end', () => this.#lose(undefined));
    this.#client = client;
    await client.connect();
    // A transaction counts as stored when this server has it on its disk, whatever the server's default is.
    const set = this.send(`
      set client_encoding = 'UTF8';
      set statement_timeout = ${statementMs};
      set idle_in_transaction_session_timeout = ${idleMs};
      set default_transaction_read_only = ${readOnly ? 'on' : 'off'};
      set default_transaction_isolation = 'read committed';
      set tcp_user_timeout = 5000;
      set tcp_keepalives_idle = 2;
      set tcp_keepalives_interval = 2;
      set tcp_keepalives_count = 2;
      set jit = off;
      select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`);
    const [, [[isStandby] = []]] = await Promise.all([set, this.ask('select pg_is_in_recovery()', [])]);
    // A standby would answer with what was true a while ago.
    if (isStandby !== 0n) throw new Error('the database server is a standby');
  }

  /** Waits for an answer. @throws ConnectionLost, or an error of the server after which the session goes on. */
  async #answered<T>(answer: Promise<T>): Promise<T> {
    if (this.pending === 0) this.#heard = systemClock.monotonic();
    this.pending += 1;
    this.#watch ??= this.#watchIn(this.#settings.silenceMs);
    try {
      return await answer;
    } catch (error) {
      if (this.lost === undefined && endsSession(error)) this.destroy(error);
      if (isDamageAtServer(error)) this.#settings.onDamaged?.(error);
      throw this.lost ?? error;
    } finally {
      this.pending -= 1;
      this.#heard = systemClock.monotonic();
    }
  }

  /** Ends the session after a silence. A server that is cut off sends nothing, not even the end of the connection. */
  #watchIn(ms: number): NodeJS.Timeout {
    const look = (): void => {
      this.#watch = undefined;
      if (this.pending === 0 || this.lost !== undefined) return;
      const left = this.#heard + this.#settings.silenceMs - systemClock.monotonic();
      if (left > 0) this.#watch = this.#watchIn(left);
      else this.destroy(new Error(`nothing came from the server for ${this.#settings.silenceMs} ms`));
    };
    return setTimeout(look, ms).unref();
  }

  #lose(cause: unknown): void {
    this.lost ??= new ConnectionLost('the connection to the database server is gone', { cause });
  }
}
