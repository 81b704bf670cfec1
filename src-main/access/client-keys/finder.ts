import { z } from '../../../src-shared/zod.ts';
import { beginningAt } from '../../platform/clock.ts';
import type { Core } from '../../platform/core.ts';
import type { JsonAnswer, OnBehalf, OutboundHttp, OutboundProblem } from '../../platform/outbound-http/outbound-http.ts';
import { remembered } from '../../platform/remembered.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { type ClientJwk, type ClientKey, clientKey, readClientJwk } from './client-key.ts';
import { isFresh, RememberedKeys, type RemoteKeys, whenToAsk } from './remote-keys.ts';
import type { OwnKeys } from './store.ts';

/** The client, as a grant stores it (protocol-notes.md#PN-15). */
export type Client =
  | {
      kind: 'wallet-address';
      /** The wallet address URL. */
      id: string;
      walletAddress: string;
    }
  | {
      kind: 'jwk';
      /** `jwk:` and the thumbprint of the key. */
      id: string;
      jwk: ClientJwk;
    };

type FoundKey = Result<ClientKey, 'unknown_key' | 'key_unavailable' | 'key_busy'>;

/**
 * The node leaves a client alone that gave no answer of use: for this long, or for `SLOW_MS` when it was only too slow.
 */
const FAILURE_MS = 30_000;
const SLOW_MS = 5_000;
/** The most keys of one client. The node does not look at later ones in its set. */
const MAX_KEYS = 50;

interface Parts extends Pick<Core, 'clock'> {
  ownKeys: OwnKeys;
  http: Pick<OutboundHttp, 'getJson'>;
}

/** Finds the public key with which a client signs. */
export class ClientKeyFinder {
  readonly #parts: Parts;
  readonly #remembered = new RememberedKeys();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Reads keys of this node's own wallet addresses from its database, and those of others from
   * `{walletAddress}/jwks.json`. The node uses fetched keys for 5 minutes, whatever happens to their host or to this
   * node meanwhile, and fetches them anew before that (decisions.md#D-46). A 404 or a set without the key ends the key.
   *
   * @param from the network from which the request came, so that strangers from elsewhere do not delay it.
   * @returns `key_unavailable` when the node could not ask the client, `unknown_key` when the client has no such key,
   * `key_busy` when this node had no place for asking, which says nothing about the client.
   */
  async find(client: Client, keyId: string, from?: string): Promise<FoundKey> {
    if (client.kind === 'jwk') {
      return client.jwk.kid === keyId ? ok(clientKey(client.jwk, client.id.slice('jwk:'.length))) : refuse('unknown_key');
    }
    const own = await this.#parts.ownKeys.find(client.walletAddress, keyId);
    if (own === undefined) return refuse('unknown_key');
    return own === 'not-own' ? await this.#findRemote(client.walletAddress, keyId, from) : ok(own);
  }

  async #findRemote(walletAddress: string, keyId: string, from: string | undefined): Promise<FoundKey> {
    const url = jwksUrl(walletAddress);
    if (url === undefined) return refuse('unknown_key');
    const remote = this.#remembered.of(url);
    const when = whenToAsk(remote, keyId, this.#parts.clock);
    let wasBusy = false;
    if (when !== 'not') {
      remote.fetching ??= this.#fetch(url, remote, from).finally(() => {
        remote.fetching = undefined;
      });
      if (when === 'now') wasBusy = (await remote.fetching) === 'busy';
    }
    const found = this.#answer(remote, keyId);
    return wasBusy && !found.ok ? refuse('key_busy') : found;
  }

  #answer({ keys, fetchedAt }: RemoteKeys, keyId: string): FoundKey {
    if (fetchedAt === undefined || !isFresh(fetchedAt, this.#parts.clock)) return refuse('key_unavailable');
    const key = keys.get(keyId);
    return key === undefined ? refuse('unknown_key') : ok(key);
  }

  async #fetch(url: string, remote: RemoteKeys, from: string | undefined): Promise<'asked' | 'busy'> {
    const { clock, http } = this.#parts;
    // What a client answers was true when it was asked, and may not be true any more when the answer comes.
    const askedAt = beginningAt(clock);
    const behalf: OnBehalf = remote.keys.size > 0 ? { pool: 'known' } : { pool: 'strangers', caller: from };
    const answer = await http.getJson(url, behalf);
    if (!answer.ok && answer.error === 'busy') return 'busy';
    const keys = await keysIn(answer);
    if (keys === undefined) {
      const at = clock.monotonic();
      const isSlow = !answer.ok && answer.error === 'timed_out';
      remote.failure = { at, until: at + (isSlow ? SLOW_MS : FAILURE_MS) };
      return 'asked';
    }
    remote.keys = keys;
    remote.fetchedAt = askedAt;
    remote.failure = undefined;
    this.#remembered.keep(url, remote);
    return 'asked';
  }
}

/** @returns the keys that a client says it has. It is undefined when it has not said. */
async function keysIn(answer: Result<JsonAnswer, OutboundProblem>): Promise<ReadonlyMap<string, ClientKey> | undefined> {
  if (!answer.ok) return undefined;
  const { status, body } = answer.value;
  if (status === 404 || status === 410) return new Map();
  return status === 200 ? await readSet(body) : undefined;
}

/** @returns undefined when nothing can be appended to the URL. Then it is no wallet address. */
const jwksUrl = remembered((walletAddress: string): string | undefined => {
  const url = URL.parse(walletAddress);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return undefined;
  return `${url.href.replace(/\/$/, '')}/jwks.json`;
});

const KeySet = z.object({ keys: z.array(z.unknown()) });

/** @returns the usable keys of a set, without those that share an id. It is undefined when `body` is no key set. */
async function readSet(body: unknown): Promise<Map<string, ClientKey> | undefined> {
  const set = KeySet.safeParse(body);
  if (!set.success) return undefined;
  const keys = new Map<string, ClientKey>();
  const seen = new Set<unknown>();
  for (const member of set.data.keys.slice(0, MAX_KEYS)) {
    const kid = typeof member === 'object' && member !== null && 'kid' in member ? member.kid : undefined;
    const read = await readClientJwk(member);
    if (seen.has(kid)) keys.delete(String(kid));
    else if (read.ok) keys.set(read.value.jwk.kid, clientKey(read.value.jwk, read.value.thumbprint));
    seen.add(kid);
  }
  return keys;
}
