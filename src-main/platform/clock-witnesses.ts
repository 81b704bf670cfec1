import type { Clock } from './clock.ts';

/** How long what a party's clock said counts, in milliseconds. */
const KEPT_MS = 60 * 60_000;
/** The node remembers so many parties, and forgets the one that it heard first. */
const MAX_PARTIES = 100;
/** One party may be wrong, or lie. */
const LEAST_PARTIES = 2;
/** Somebody has set a clock, or the computer has slept, when both of its clocks have moved apart by more than this. */
const SET_MS = 5_000;
/** How long a signed request may be on its way before it says that its client's clock is behind. */
const ON_ITS_WAY_MS = 60_000;
const SECOND_MS = 1_000;

/** The span by which a party's clock is ahead of this computer's, in milliseconds: between `least` and `most`. */
interface Heard {
  readonly least: number;
  readonly most: number;
  /** The time at which it was heard, by the monotonic clock. */
  readonly at: number;
  /** How far both clocks of this computer were apart then. */
  readonly base: number;
}

/** How this computer's clock stands to those of others. */
interface ClockDifference {
  /** The clock is this many milliseconds ahead of theirs; below zero it is behind. */
  readonly ahead: number;
  /** How many others were heard. */
  readonly parties: number;
}

/**
 * Hears what the clocks of peers and clients say in what they send anyway, and compares this computer's with them. The
 * median counts, and where two are in the middle the one nearer to this computer's. So whoever is wrong or lies is
 * outvoted by as many others. Callers let only parties be heard whom the operator or the node trusts
 * (decisions.md#D-75).
 */
export class ClockWitnesses {
  readonly #clock: Clock;
  readonly #heard = new Map<string, Heard>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * A request to a party begins.
   * @returns a function that takes the `Date` of the answer, when it has come.
   */
  asked(party: string): (date: string | undefined) => void {
    const sent = this.#clock.now();
    return (date) => {
      const theirs = Date.parse(date ?? '');
      if (!Number.isNaN(theirs)) this.#note(party, { least: theirs - this.#clock.now(), most: theirs + SECOND_MS - sent });
    };
  }

  /** A party has signed a request that has just come. @param created in seconds since the Unix epoch. */
  signed(party: string, created: number): void {
    const least = created * SECOND_MS - this.#clock.now();
    this.#note(party, { least, most: least + SECOND_MS + ON_ITS_WAY_MS });
  }

  /** Whether a party has been heard in the last minute. */
  knows(party: string): boolean {
    const known = this.#heard.get(party);
    return known !== undefined && this.#counts(known) && this.#clock.monotonic() - known.at < 60_000;
  }

  /** How the clock differs from those of others. It is undefined while fewer than two were heard in the last hour. */
  difference(): ClockDifference | undefined {
    const theirs = [...this.#heard.values()].filter((heard) => this.#counts(heard)).map(nearest);
    if (theirs.length < LEAST_PARTIES) return undefined;
    const sorted = theirs.toSorted((a, b) => a - b);
    const [low = 0, high = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
    return { ahead: 0 - nearest({ least: low, most: high }), parties: theirs.length };
  }

  /** A copy of an old answer or request says less. So the latest clock counts that was heard of a party. */
  #note(party: string, { least, most }: Pick<Heard, 'least' | 'most'>): void {
    const known = this.#heard.get(party);
    if (known !== undefined && this.#counts(known) && known.most > most) return;
    this.#heard.delete(party);
    this.#heard.set(party, { least, most, at: this.#clock.monotonic(), base: this.#base() });
    const [first] = this.#heard.keys();
    if (this.#heard.size > MAX_PARTIES && first !== undefined) this.#heard.delete(first);
  }

  /** What was heard before somebody set the clock says nothing about it any more. */
  #counts({ at, base }: Heard): boolean {
    return this.#clock.monotonic() - at < KEPT_MS && Math.abs(this.#base() - base) < SET_MS;
  }

  #base(): number {
    return this.#clock.now() - this.#clock.monotonic();
  }
}

/** The value between both that is nearest to zero. */
const nearest = ({ least, most }: Pick<Heard, 'least' | 'most'>): number => (least > 0 ? least : Math.min(most, 0));
