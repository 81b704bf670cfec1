import { z } from '../../../src-shared/zod.ts';
import type { Core } from '../../platform/core.ts';
import type { OutboundHttp, OutboundProblem } from '../../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { type ClientJwk, type ClientKey, clientKey, readClientJwk } from './client-key.ts';
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

type FoundKey = Result<ClientKey, 'unknown_key' | 'key_unavailable'>;

const FRESH_MS = 5 * 60_000;
/** How long a key still counts while the host of its client cannot be reached (decisions.md#D-46). */
const STALE_MS = 60 * 60_000;
/** How long the node waits before it asks a client again for a key id that the client did not have. */
const MISSING_MS = 60_000;
/** How long the node leaves a host alone that did not answer. */
const FAILURE_MS = 30_000;
const MAX_CLIENTS = 1_000;
/** The most keys of one client. The node does not look at later ones in its set. */
const MAX_KEYS = 50;

interface Remote {
  /** As of `fetchedAt`. */
  keys: ReadonlyMap<string, ClientKey>;
  /** When the client last said what its keys are. It is undefined before the first time. */
  fetchedAt: number | undefined;
  /** The last attempt since `fetchedAt` that got no answer. */
  failure: { at: number; isNetwork: boolean } | undefined;
  fetching: Promise<void> | undefined;
}

interface Parts extends Pick<Core, 'clock'> {
  ownKeys: OwnKeys;
  http: Pick<OutboundHttp, 'getJson'>;
}

/** Finds the public key with which a client signs. */
export class ClientKeyFinder {
  readonly #parts: Parts;
  readonly #remotes = new Map<string, Remote>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Reads keys of this node's own wallet addresses from its database, and those of others from
   * `{walletAddress}/jwks.json`. Fetched keys are fresh for 5 minutes, and are used for up to an hour while their host
   * cannot be reached. A 404 or a set without the key ends the key (decisions.md#D-46).
   *
   * @returns `key_unavailable` when the node could not ask the client, `unknown_key` when the client has no such key.
   */
  async find(client: Client, keyId: string): Promise<FoundKey> {
    if (client.kind === 'jwk') {
      return client.jwk.kid === keyId ? ok(clientKey(client.jwk, client.id.slice('jwk:'.length))) : refuse('unknown_key');
    }
    const own = await this.#parts.ownKeys.find(client.walletAddress, keyId);
    if (own === undefined) return refuse('unknown_key');
    return own === 'not-own' ? await this.#findRemote(client.walletAddress, keyId) : ok(own);
  }

  async #findRemote(walletAddress: string, keyId: string): Promise<FoundKey> {
    const url = jwksUrl(walletAddress);
    if (url === undefined) return refuse('unknown_key');
    const remote = this.#remote(url);
    if (this.#shouldAsk(remote, keyId)) {
      remote.fetching ??= this.#fetch(url, remote).finally(() => {
        remote.fetching = undefined;
      });
      await remote.fetching;
    }
    return this.#answer(remote, keyId);
  }

  #shouldAsk({ keys, fetchedAt, failure }: Remote, keyId: string): boolean {
    const now = this.#parts.clock.now();
    const isFresh = fetchedAt !== undefined && now - fetchedAt < FRESH_MS;
    if (isFresh && keys.has(keyId)) return false;
    if (isFresh) return now - (failure?.at ?? fetchedAt) >= MISSING_MS;
    return failure === undefined || now - failure.at >= FAILURE_MS;
  }

  #answer({ keys, fetchedAt, failure }: Remote, keyId: string): FoundKey {
    if (fetchedAt === undefined) return refuse('key_unavailable');
    const key = keys.get(keyId);
    const age = this.#parts.clock.now() - fetchedAt;
    if (failure === undefined || age < FRESH_MS) return key === undefined ? refuse('unknown_key') : ok(key);
    return key !== undefined && failure.isNetwork && age < STALE_MS ? ok(key) : refuse('key_unavailable');
  }

  async #fetch(url: string, remote: Remote): Promise<void> {
    const answer = await this.#parts.http.getJson(url);
    const at = this.#parts.clock.now();
    const isGone = answer.ok && (answer.value.status === 404 || answer.value.status === 410);
    const keys = isGone
      ? new Map<string, ClientKey>()
      : answer.ok && answer.value.status === 200
        ? await readSet(answer.value.body)
        : undefined;
    if (keys === undefined) {
      remote.failure = { at, isNetwork: answer.ok ? isGatewayTrouble(answer.value.status) : NETWORK.has(answer.error) };
      return;
    }
    remote.keys = keys;
    remote.fetchedAt = at;
    remote.failure = undefined;
  }

  #remote(url: string): Remote {
    let remote = this.#remotes.get(url);
    if (remote === undefined) {
      for (const oldest of this.#remotes.keys()) {
        if (this.#remotes.size < MAX_CLIENTS) break;
        this.#remotes.delete(oldest);
      }
      remote = { keys: new Map(), fetchedAt: undefined, failure: undefined, fetching: undefined };
      this.#remotes.set(url, remote);
    }
    return remote;
  }
}

const NETWORK: ReadonlySet<OutboundProblem> = new Set<OutboundProblem>(['unreachable', 'timed_out']);

/** A gateway answers with these statuses when it cannot reach the host behind it. */
const isGatewayTrouble = (status: number): boolean => status >= 502 && status <= 504;

/** @returns undefined when nothing can be appended to the URL. Then it is no wallet address. */
function jwksUrl(walletAddress: string): string | undefined {
  const url = URL.parse(walletAddress);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return undefined;
  return `${url.href.replace(/\/$/, '')}/jwks.json`;
}

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
