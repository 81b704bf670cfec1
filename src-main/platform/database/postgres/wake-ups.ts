import type { Clock } from '../../clock.ts';
import { BooksWentBack } from '../database.ts';
import type { Times } from './options.ts';
import type { Session } from './session.ts';
import type { Turns } from './turns.ts';

const CHANNEL = 'paydesk_commits';

interface Parts {
  clock: Pick<Clock, 'monotonic'>;
  dial: () => Session;
  turns: Pick<Turns, 'writer' | 'committed' | 'hasSeen'>;
  times: Pick<Times, 'poll' | 'tell'>;
  /** Called when another process has committed. */
  onHeard: () => void;
  onWentBack: (error: BooksWentBack) => void;
}

/**
 * Tells other processes of commits, and hears of theirs, over a connection of its own. Telling happens outside of the
 * transactions, because those that tell wait for each other at their commit. Nothing relies on it: the term is read
 * again and again, and shows what nobody told.
 */
export class WakeUps {
  readonly #parts: Parts;
  #session: Session | undefined;
  /** The newest session, which may not be open yet. */
  #opening: Session | undefined;
  #beat: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #telling: NodeJS.Timeout | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  /** The newest term that others have told of. */
  #heard = 0n;
  #hasBegun = false;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Begins to listen, unless it has begun. */
  start(): void {
    if (this.#hasBegun || this.#isClosed) return;
    this.#hasBegun = true;
    this.#beating = this.#look();
  }

  /** Takes the newest term from somebody who has read it. It tells when others have committed. */
  sees(term: bigint): void {
    const { turns, onHeard } = this.#parts;
    if (this.#isClosed || term <= turns.committed || term <= this.#heard) return;
    this.#heard = term;
    onHeard();
  }

  /** Tells the others soon that this process has committed. */
  tell(): void {
    this.start();
    if (this.#isClosed) return;
    const { clock, times } = this.#parts;
    this.#telling ??= setTimeout(() => this.#tellNow(), Math.max(0, this.#toldAt + times.tell - clock.monotonic())).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#beat);
    clearTimeout(this.#telling);
    this.#opening?.destroy(undefined);
    await this.#beating;
  }

  #tellNow(): void {
    const { clock, turns } = this.#parts;
    this.#telling = undefined;
    this.#toldAt = clock.monotonic();
    // Whoever is not told sees the term.
    this.#session?.ask('select pg_notify($1, $2)', [CHANNEL, `${turns.writer} ${turns.committed}`], 'paydesk_tell').catch(() => undefined);
  }

  async #look(): Promise<void> {
    try {
      await this.#lookNow();
    } catch (error) {
      if (error instanceof BooksWentBack) this.#parts.onWentBack(error);
    }
    if (this.#isClosed) return;
    this.#beat = setTimeout(() => {
      this.#beating = this.#look();
    }, this.#parts.times.poll).unref();
  }

  async #lookNow(): Promise<void> {
    const { turns, onHeard } = this.#parts;
    const session = await this.#connected();
    const before = turns.committed;
    const [[term] = []] = (await session.ask('select term from turns where id = 1', [], 'paydesk_term')) as bigint[][];
    if (term === undefined) return;
    const isNews = term > turns.committed && term > this.#heard;
    turns.hasSeen(term, before);
    if (isNews) onHeard();
  }

  async #connected(): Promise<Session> {
    if (this.#session !== undefined && !this.#session.isSpent) return this.#session;
    const session = this.#parts.dial();
    this.#opening = session;
    await session.opened();
    session.onNotification((payload) => this.#hear(payload));
    await session.send(`listen ${CHANNEL}`);
    this.#session = session;
    return session;
  }

  #hear(payload: string): void {
    const [writer, term = ''] = payload.split(' ');
    if (writer === this.#parts.turns.writer || !/^\d{1,19}$/.test(term)) return;
    const told = BigInt(term);
    if (told > this.#heard) this.#heard = told;
    this.#parts.onHeard();
  }
}
