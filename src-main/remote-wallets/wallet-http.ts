import type { Core } from '../platform/core.ts';
import type { JsonAnswer, OutboundHttp, OutboundProblem } from '../platform/outbound-http/outbound-http.ts';
import { type Result, refuse } from '../platform/result.ts';
import type { NodeKeys } from './node-keys.ts';
import { signedHeaders } from './request-signatures.ts';

export type WalletAnswer = Result<JsonAnswer, OutboundProblem>;

export interface SignedCall {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  token?: string | undefined;
  /** Sent as JSON. */
  body?: object | undefined;
  /** The own wallet address whose key signs. */
  walletAddressId: string;
  signal?: AbortSignal | undefined;
}

interface Parts extends Pick<Core, 'clock' | 'urls'> {
  http: Pick<OutboundHttp, 'getJson' | 'requestJson'>;
  keys: NodeKeys;
}

/** Requests to other wallets. Nothing under an own origin, current or former, is ever asked over HTTP. */
export class WalletHttp {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What anybody may read. */
  async get(url: string, signal?: AbortSignal): Promise<WalletAnswer> {
    if (this.isOwn(url)) return refuse('address_not_allowed');
    return await this.#parts.http.getJson(url, { signal });
  }

  /** Sends a request once, signed with the node key of an own wallet address. */
  async send({ method, url: text, token, body, walletAddressId, signal }: SignedCall): Promise<WalletAnswer> {
    const url = URL.parse(text)?.href;
    if (url === undefined) return refuse('invalid_url');
    if (this.isOwn(url)) return refuse('address_not_allowed');
    const content = body && JSON.stringify(body);
    const headers = signedHeaders({ method, url, token, body: content }, this.#parts.keys.of(walletAddressId), this.#parts.clock.now());
    return await this.#parts.http.requestJson(method, url, { headers, signal, ...(content !== undefined && { body: content }) });
  }

  /** Whether a URL lies under an own origin, in whatever spelling. */
  isOwn(text: string): boolean {
    const url = URL.parse(text);
    if (url === null) return false;
    url.hostname = url.hostname.replace(/\.$/, '');
    return this.#parts.urls.origins.includes(url.origin);
  }
}

/** Whether the other side could be asked but had nothing to say: worth another try later, and no reason to give up a grant. */
export const gaveNoAnswer = (answer: WalletAnswer): boolean => !answer.ok || answer.value.status >= 500 || answer.value.status === 429;
