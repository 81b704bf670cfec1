import { nodeNow } from '../../transport/node-clock.ts';
import { type StateCell, stateCell } from '../../transport/state-cell.ts';
import { QUIET, type Said, type Seen, type SeenShop, SILENT_MS } from './seen.ts';

interface Parts {
  /** The id of this till. */
  id: string;
  send: (said: Said) => void;
  /** A clock that only runs forward, in milliseconds. */
  now: () => number;
}

/** The till's end of the channel. It tells its customer's screen what to show, and answers each of its questions. */
export class TillEnd {
  readonly id: string;
  /** Whether a screen follows this till. */
  readonly isFollowed: StateCell<boolean> = stateCell(false);
  readonly #parts: Parts;
  #seen: Seen = QUIET;
  #shop: SeenShop = { name: '', logo: null };
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.id = parts.id;
  }

  /** Shows this to the customer. */
  show(seen: Seen, shop: SeenShop): void {
    this.#seen = seen;
    this.#shop = shop;
    this.#say();
  }

  hear(said: Said): void {
    if (said.kind === 'ask' && said.till === this.id) {
      this.#askedAt = this.#parts.now();
      this.look();
      this.#say();
    } else if (said.kind === 'ask' && said.till === null && !this.#hasScreen()) this.#say();
    else if (said.kind === 'bye' && said.till === this.id) this.#forget();
  }

  /** Finds out whether the screen is still there. */
  look(): void {
    this.isFollowed.set(this.#hasScreen());
  }

  /** Closes the customer's screen. */
  close(): void {
    this.#parts.send({ kind: 'close', till: this.id });
  }

  /** Says that this till goes. */
  leave(): void {
    this.#seen = QUIET;
    this.#parts.send({ kind: 'gone', till: this.id });
    this.#forget();
  }

  #forget(): void {
    this.#askedAt = Number.NEGATIVE_INFINITY;
    this.look();
  }

  #hasScreen(): boolean {
    return this.#parts.now() - this.#askedAt < SILENT_MS;
  }

  #say(): void {
    const ends = 'ends' in this.#seen ? this.#seen.ends : null;
    const leftMs = ends === null ? null : ends.getTime() - nodeNow().getTime();
    const isTaken = this.#hasScreen();
    this.#parts.send({ kind: 'says', till: this.id, isTaken, shop: this.#shop, seen: this.#seen, leftMs });
  }
}
