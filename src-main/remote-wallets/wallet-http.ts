import type { Core } from '../platform/core.ts';
import type { JsonAnswer, OnBehalf, OutboundHttp, OutboundProblem } from '../platform/outbound-http/outbound-http.ts';
import { type Result, refuse } from '../platform/result.ts';
import type { NodeKeys } from './node-keys.ts';
import { signedHeaders } from './request-signatures.ts';

/** What another wallet answered, or why there is no answer. */
export type WalletAnswer = Result<JsonAnswer, OutboundProblem>;

/** A signed request to another wallet. */
interface SignedCall extends OnBehalf {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  token?: string | undefined;
  /** It is sent as JSON. */
  body?: object | undefined;
  /** The own wallet address whose key signs. */
  walletAddressId: string;
  signal?: AbortSignal | undefined;
}

interface Parts extends Pick<Core, 'clock' | 'urls'> {
  http: Pick<OutboundHttp, 'getJson' | 'requestJson'>;
  keys: NodeKeys;
}

/**
 * Sends requests to other wallets, for a checkout unless the caller says otherwise. It never sends one to an origin of
 * this node, current or former.
 */
export class WalletHttp {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads what anybody may read. */
  async get(url: string, options: OnBehalf & { signal?: AbortSignal | undefined } = {}): Promise<WalletAnswer> {
    if (this.isOwn(url)) return refuse('address_not_allowed');
    return await this.#parts.http.getJson(url, { pool: 'checkout', ...options });
  }

  /** Sends a request once, signed with the node key of an own wallet address. */
  async send({ method, url: text, token, body, walletAddressId, ...options }: SignedCall): Promise<WalletAnswer> {
    const url = URL.parse(text)?.href;
    if (url === undefined) return refuse('invalid_url');
    if (this.isOwn(url)) return refuse('address_not_allowed');
    const content = body && JSON.stringify(body);
    const headers = signedHeaders({ method, url, token, body: content }, this.#parts.keys.of(walletAddressId), this.#parts.clock.now());
    const request = { pool: 'checkout', ...options, headers, ...(content !== undefined && { body: content }) } as const;
    return await this.#parts.http.requestJson(method, url, request);
  }

  /** Whether a URL lies under an origin of this node, however it is spelled. */
  isOwn(text: string): boolean {
    const url = URL.parse(text);
    if (url === null) return false;
    url.hostname = url.hostname.replace(/\.$/, '');
    return this.#parts.urls.origins.includes(url.origin);
  }
}

/**
 * Whether the other side could not be asked, or had nothing to say. Then another try later may help, and there is no
 * reason to give up a grant.
 */
export const gaveNoAnswer = (answer: WalletAnswer): boolean => !answer.ok || answer.value.status >= 500 || answer.value.status === 429;

/**
 * Why there was no answer of use. `timed_out` and `busy` may be due to this node, so they are never remembered against
 * the other side.
 */
export type NoAnswer = 'unreachable' | 'timed_out' | 'busy';

export function whyNoAnswer(answer: WalletAnswer): NoAnswer {
  return !answer.ok && (answer.error === 'timed_out' || answer.error === 'busy') ? answer.error : 'unreachable';
}
