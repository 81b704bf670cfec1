import { type Beginning, type Clock, passedSince } from '../../platform/clock.ts';
import { siteOf } from '../../platform/outbound-http/targets.ts';
import type { ClientKey } from './client-key.ts';

/** What is known of the keys of one client elsewhere. */
export interface RemoteKeys {
  readonly site: string;
  /** The client's keys at `fetchedAt`. */
  keys: ReadonlyMap<string, ClientKey>;
  /** The last time that the client answered. It is undefined before the first time. */
  fetchedAt: Beginning | undefined;
  /** The last failure since `fetchedAt`: when it was, and when the node may ask again, by the monotonic clock. */
  failure: { at: number; until: number } | undefined;
  /** `busy`: this node had no place for asking. */
  fetching: Promise<'asked' | 'busy'> | undefined;
}

/** How many clients are remembered that have shown a key, and how many that have not. */
const MAX_KNOWN = 1_000;
const MAX_STRANGERS = 500;

/**
 * Remembers clients elsewhere by the URL of their keys. Clients that have never shown a key cannot displace one that
 * has. When there are too many, the site with the most loses the one that was used least recently, so that nobody's
 * clients displace somebody else's.
 */
export class RememberedKeys {
  readonly #known = new Map<string, RemoteKeys>();
  readonly #strangers = new Map<string, RemoteKeys>();

  /** What is known of a client. It counts as used now. */
  of(url: string): RemoteKeys {
    const remote = this.#known.get(url) ?? this.#strangers.get(url) ?? newcomer(url);
    this.keep(url, remote);
    return remote;
  }

  /** Remembers a client where it belongs now. */
  keep(url: string, remote: RemoteKeys): void {
    this.#known.delete(url);
    this.#strangers.delete(url);
    const [place, most] = remote.keys.size > 0 ? [this.#known, MAX_KNOWN] : [this.#strangers, MAX_STRANGERS];
    place.set(url, remote);
    if (place.size > most) place.delete(leastMissed(place));
  }
}

const newcomer = (url: string): RemoteKeys => ({
  site: siteOf(url),
  keys: new Map(),
  fetchedAt: undefined,
  failure: undefined,
  fetching: undefined,
});

/** The first, least recently used, entry of the site that has the most. */
function leastMissed(place: ReadonlyMap<string, RemoteKeys>): string {
  const firsts = new Map<string, { url: string; count: number }>();
  for (const [url, { site }] of place) {
    const first = firsts.get(site);
    if (first === undefined) firsts.set(site, { url, count: 1 });
    else first.count += 1;
  }
  return [...firsts.values()].reduce((most, one) => (one.count > most.count ? one : most)).url;
}

/** How long keys are used after the client was asked. No key is used for longer (decisions.md#D-46). */
export const FRESH_MS = 5 * 60_000;
/** The node fetches keys of this age anew before they are needed, so that a failure or two cost nobody a request. */
const REFRESH_MS = 3 * 60_000;
/** How long the node waits before it asks a client again for a key id that the client did not have. */
const MISSING_MS = 60_000;

/** Whether what a client said at a moment still counts. */
export const isFresh = (fetchedAt: Beginning, clock: Clock): boolean => passedSince(fetchedAt, clock) < FRESH_MS;

/** Whether to ask a client: `now` if nothing can be said without it, `meanwhile` if its keys can be used until then. */
export function whenToAsk({ keys, fetchedAt, failure }: RemoteKeys, keyId: string, clock: Clock): 'now' | 'meanwhile' | 'not' {
  const now = clock.monotonic();
  if (failure !== undefined && now < failure.until) return 'not';
  if (fetchedAt === undefined || !isFresh(fetchedAt, clock)) return 'now';
  if (!keys.has(keyId)) return now - (failure?.at ?? fetchedAt.monotonic) >= MISSING_MS ? 'now' : 'not';
  return passedSince(fetchedAt, clock) >= REFRESH_MS ? 'meanwhile' : 'not';
}
