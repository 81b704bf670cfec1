import { randomBytes } from 'node:crypto';
import { storageWords } from '../../../../src-shared/words/storage.ts';
import { BooksWentBack } from '../database.ts';
import type { Session } from './session.ts';

/** A turn: the right to write, until its transaction ends. */
export interface Turn {
  readonly term: bigint;
  /** The number of the commit that ends this turn, among those of this process. */
  readonly batch: bigint;
  /** Whether the commit before it, whose answer was lost, had happened. It is undefined when no answer was lost. */
  readonly doubtfulHappened: boolean | undefined;
}

/** What a process knows of the turns, so that it notices when the database has lost some. */
export interface SeenTurns {
  /** The newest term that is known to be committed. */
  readonly term: bigint;
  readonly writer: string;
  /** How many commits of that writer were acknowledged. */
  readonly commits: bigint;
}

const TAKE = 'update turns set term = term + 1 where id = 1 returning term';
const COUNT = `insert into turn_writers as own (writer, batch, at) values ($1, 1, (extract(epoch from clock_timestamp()) * 1000)::int8)
  on conflict (writer) do update set batch = own.batch + 1, at = excluded.at returning batch`;
/** Processes leave their row behind. It goes after 90 days. */
const FORGET = 'delete from turn_writers where at < (extract(epoch from clock_timestamp()) * 1000)::int8 - 7776000000';

/**
 * The turns of this process. Only who has the turn may write, and the server gives it to one at a time in the whole
 * cluster. It also ends the session of one who has the turn and says nothing, so a turn that is over writes nothing.
 *
 * Each process counts its commits in a row of its own, which changes with every commit. So, once the next turn has
 * begun, this row says whether a commit whose answer was lost had happened. It also shows when a commit that was
 * acknowledged is gone, even when other processes have long made up for the term (decisions.md#D-101).
 */
export class Turns {
  /** This process, among all that have ever written. */
  readonly writer = randomBytes(16).toString('hex');
  /** The newest term that is known to be committed. */
  #committed = 0n;
  /** How many commits of this process were acknowledged. */
  #own = 0n;
  /** The turn whose commit has had no answer. */
  #doubtful: Turn | undefined;

  get committed(): bigint {
    return this.#committed;
  }

  get seen(): SeenTurns {
    return { term: this.#committed, writer: this.writer, commits: this.#own };
  }

  /**
   * Waits for the turn. What is read from now on includes all that was committed before (READ COMMITTED).
   * @throws BooksWentBack when the database has lost commits that were acknowledged, ConnectionLost, or an error of the
   * server. The caller rolls back.
   */
  async take(session: Session): Promise<Turn> {
    const [, taken, counted] = await Promise.all([
      session.send('begin'),
      session.ask(TAKE, [], 'paydesk_take'),
      session.ask(COUNT, [this.writer], 'paydesk_count'),
      ...(this.#own === 0n ? [session.ask(FORGET, [])] : []),
    ]);
    const [[term] = []] = taken as bigint[][];
    const [[batch] = []] = counted as bigint[][];
    if (term === undefined || batch === undefined) throw new Error('the database has no row for turns');
    const doubtful = this.#doubtful;
    const happened = doubtful !== undefined && batch === this.#own + 2n;
    if (term <= this.#committed || (batch !== this.#own + 1n && !happened)) throw new BooksWentBack(storageWords.wentBack);
    // The term before this one was committed by somebody.
    this.#committed = term - 1n;
    if (happened) this.#own += 1n;
    this.#doubtful = undefined;
    return { term, batch, doubtfulHappened: doubtful === undefined ? undefined : happened };
  }

  /** The writer calls this when the server has acknowledged the commit of a turn. */
  hasCommitted({ term }: Turn): void {
    if (term > this.#committed) this.#committed = term;
    this.#own += 1n;
  }

  /** The writer calls this when the answer to the commit of a turn was lost. The next turn finds out. */
  mayHaveCommitted(turn: Turn): void {
    this.#doubtful = turn;
  }

  /**
   * Takes a term that was read outside of a turn.
   * @param before the newest committed term that was known before it was asked for.
   * @throws BooksWentBack
   */
  hasSeen(term: bigint, before: bigint): void {
    if (term < before) throw new BooksWentBack(storageWords.wentBack);
    if (term > this.#committed) this.#committed = term;
  }
}
