import type { Grant } from '../grant-rows.ts';

/** What places are counted by. */
export type Waiting = Pick<Grant, 'id' | 'clientId' | 'openedAt' | 'createdAt'>;

/** How many grant requests may wait at a time (decisions.md#D-34). */
export const PLACES = {
  /** The places of one client, whether their pages are open or not. */
  client: 3,
  /** The places of all clients under one origin. */
  origin: 10,
  /** The places on the node. They bound rows only: an unopened request holds no place against another. */
  node: 300,
  /** Whose pages are open, under one origin. */
  openedOfOrigin: 5,
  /** Whose pages are open, on the node: as many as one operator can look at. */
  opened: 20,
} as const;

/** The host of a client's wallet address, with its port. Clients under one host count together. */
const originOf = (clientId: string): string => URL.parse(clientId)?.host ?? clientId;

/**
 * Finds a place for a new grant request. Where there is none, the oldest request gives way whose page nobody has
 * opened: of the same client, of the same origin, or of the origin with the most requests.
 * @returns the ids of the requests that lapse for it. It is undefined when only opened requests could give way.
 */
export function placeFor(clientId: string, waiting: readonly Waiting[]): string[] | undefined {
  const ofOrigin = waiting.filter((one) => originOf(one.clientId) === originOf(clientId));
  const ofClient = ofOrigin.filter((one) => one.clientId === clientId);
  const full =
    (ofClient.length >= PLACES.client && ofClient) ||
    (ofOrigin.length >= PLACES.origin && ofOrigin) ||
    (waiting.length >= PLACES.node && largestOrigin(waiting.filter(isUnopened)));
  if (!full) return [];
  const oldest = full.filter(isUnopened).sort((a, b) => a.createdAt - b.createdAt)[0];
  return oldest && [oldest.id];
}

/**
 * Finds a place for a request whose page is opened for the first time. Where the node has none, the newest opened
 * request of the origin with the most gives way, so that one origin never shuts out another.
 * @param waiting the other requests.
 * @returns the ids of the requests that lapse for it. It is undefined when there is no place.
 */
export function placeToOpen(clientId: string, waiting: readonly Waiting[]): string[] | undefined {
  const opened = waiting.filter((one) => !isUnopened(one));
  const own = opened.filter((one) => originOf(one.clientId) === originOf(clientId));
  if (own.length >= PLACES.openedOfOrigin) return undefined;
  if (opened.length < PLACES.opened) return [];
  const largest = largestOrigin(opened);
  // Both have one more than the other when they have changed places. Then nothing would be fairer than before.
  if (largest.length <= own.length + 1) return undefined;
  const newest = largest.sort((a, b) => (b.openedAt ?? 0) - (a.openedAt ?? 0))[0];
  return newest && [newest.id];
}

const isUnopened = ({ openedAt }: Waiting): boolean => openedAt === null;

/** The requests of the origin that has the most of these. */
function largestOrigin(requests: readonly Waiting[]): Waiting[] {
  const byOrigin = Map.groupBy(requests, ({ clientId }) => originOf(clientId));
  return [...byOrigin.values()].reduce<Waiting[]>((most, one) => (one.length > most.length ? one : most), []);
}
