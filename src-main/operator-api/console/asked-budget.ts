import type { Clock } from '../../platform/clock.ts';
import { networkOf } from '../../platform/outbound-http/targets.ts';

const MINUTE_MS = 60_000;
/** A person asks for a passkey a few times a minute, and a shop may sit behind one address. */
const EACH_MINUTE = 60;
const MOST_NETWORKS = 10_000;

/**
 * How often strangers make the node store a challenge. It spares writes only, so each process counts for itself: what
 * lets somebody in is decided in the database.
 */
export class AskedBudget {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #asked = new Map<string, number>();
  #since = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** @returns whether a caller at this address may have one more. */
  take(address: string): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#since >= MINUTE_MS || this.#asked.size >= MOST_NETWORKS) {
      this.#since = now;
      this.#asked.clear();
    }
    const network = networkOf(address);
    const asked = (this.#asked.get(network) ?? 0) + 1;
    this.#asked.set(network, asked);
    return asked <= EACH_MINUTE;
  }
}
