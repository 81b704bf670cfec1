import { type StateCell, stateCell } from '../../transport/state-cell.ts';
import { QUIET, type Said, type Seen, type SeenShop, SILENT_MS } from './seen.ts';

interface Parts {
  /** The till whose page has opened this screen. It may be gone. */
  till: string | null;
  send: (said: Said) => void;
  /** A clock that only runs forward, in milliseconds. */
  now: () => number;
  close: () => void;
}

/**
 * The end of the channel at the customer's screen. It shows what one till says, and nothing else: when that till is
 * gone or silent, or what it said has ended, the screen is quiet. Then it follows the next till without a screen, as
 * after a reload of the till's page.
 */
export class ScreenEnd {
  readonly seen: StateCell<Seen> = stateCell(QUIET);
  readonly shop: StateCell<SeenShop | undefined> = stateCell<SeenShop | undefined>(undefined);
  /** The till that the screen follows. */
  readonly till: StateCell<string | null>;
  readonly #parts: Parts;
  #heardAt: number;
  #endsAt = Number.POSITIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.till = stateCell(parts.till);
    this.#heardAt = parts.now();
  }

  /** Asks the till what to show, and shows nothing that is too old. To be called every second. */
  tick(): void {
    const now = this.#parts.now();
    if (now - this.#heardAt >= SILENT_MS) this.#lose();
    else if (now >= this.#endsAt) this.seen.set(QUIET);
    this.#parts.send({ kind: 'ask', till: this.till.get() });
  }

  hear(said: Said): void {
    if (said.kind === 'ask' || said.kind === 'bye') return;
    if (said.kind === 'says' && this.till.get() === null && !said.isTaken) this.till.set(said.till);
    if (said.till !== this.till.get()) return;
    if (said.kind === 'says') this.#take(said);
    else if (said.kind === 'close') this.#parts.close();
    else {
      this.#lose();
      this.#parts.send({ kind: 'ask', till: null });
    }
  }

  #take({ leftMs, shop, seen }: Extract<Said, { kind: 'says' }>): void {
    const now = this.#parts.now();
    this.#heardAt = now;
    this.#endsAt = leftMs === null ? Number.POSITIVE_INFINITY : now + leftMs;
    this.shop.set(shop);
    this.seen.set(now >= this.#endsAt ? QUIET : seen);
  }

  /** Says that this screen goes. */
  leave(): void {
    const till = this.till.get();
    if (till !== null) this.#parts.send({ kind: 'bye', till });
  }

  #lose(): void {
    this.till.set(null);
    this.seen.set(QUIET);
  }
}
