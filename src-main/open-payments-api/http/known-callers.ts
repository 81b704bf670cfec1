import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../platform/clock.ts';

/** How long a caller stays known after a good signature, in milliseconds. */
const KEPT_MS = 24 * 3_600_000;
const MAX_KEPT = 10_000;

/**
 * Recognises clients that the node trusts before it verifies anything. It knows their tokens, the ids of the keys with
 * which they have signed well, and the cookies of paired tills. That opens a door only, and gives no right: anybody can
 * write any key id, so what comes in by one has a budget of its own.
 */
export class KnownCallers {
  readonly #clock: Clock;
  readonly #known = new Map<string, { until: number; client: string }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that a client which the node trusts has signed a request with these headers. */
  remember(headers: IncomingHttpHeaders, client: string): void {
    for (const sign of signsOf(headers)) {
      // The one seen longest ago is the first of the map, and makes place.
      this.#known.delete(sign);
      this.#known.set(sign, { until: this.#clock.monotonic() + KEPT_MS, client });
      for (const oldest of this.#known.keys()) {
        if (this.#known.size <= MAX_KEPT) break;
        this.#known.delete(oldest);
      }
    }
  }

  /**
   * Notes that the node does not trust the client that has signed a request with these headers. A stranger may give its
   * own key the id of an app's key. The app stays known then.
   */
  forget(headers: IncomingHttpHeaders, client: string): void {
    for (const sign of signsOf(headers)) if (this.#known.get(sign)?.client === client) this.#known.delete(sign);
  }

  /** The signs of a request that are known, the one first that is harder to copy. */
  knownSigns(headers: IncomingHttpHeaders): string[] {
    const now = this.#clock.monotonic();
    return signsOf(headers).filter((sign) => now < (this.#known.get(sign)?.until ?? now));
  }
}

/** Tokens are secrets, so the node keeps their hashes only. */
function signsOf({ authorization, cookie, 'signature-input': input }: IncomingHttpHeaders): string[] {
  const device = TILL_COOKIE.exec(cookie ?? '')?.[1];
  const keyId = KEY_ID.exec(String(input))?.[1];
  return [
    ...(authorization === undefined ? [] : [`token ${hash('sha256', authorization, 'base64url')}`]),
    ...(keyId === undefined ? [] : [`key ${keyId}`]),
    ...(device === undefined ? [] : [`till ${hash('sha256', device, 'base64url')}`]),
  ];
}

/** The cookie of a paired till; see `till-cookie.ts`. */
const TILL_COOKIE = /(?:^|;\s?)(?:__Secure-paydesk-till|paydesk_till_\d{1,5})=([\w-]{43})(?:;|$)/;
const KEY_ID = /;keyid="([^"]{1,256})"/;
