import type { z } from '../../src-shared/zod.ts';
import type { OnBehalf } from '../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { WalletAddressDocument } from './documents.ts';
import { gaveNoAnswer, type WalletHttp } from './wallet-http.ts';

/** A wallet address at another wallet: its URL, its asset, and where to ask for grants and for payments. */
export type RemoteWalletAddress = z.infer<typeof WalletAddressDocument>;

/**
 * Why no wallet address was found.
 * - `not_a_wallet_address`: the text is none, or there is nothing of the kind at its URL.
 * - `own_wallet_address`: it is of this node, which never asks itself over HTTP.
 * - `wallet_unreachable`: there was no usable answer. Hosts with which the node does not talk look the same.
 */
type DiscoveryProblem = 'not_a_wallet_address' | 'own_wallet_address' | 'wallet_unreachable';

/** Finds wallet addresses at other wallets. */
export class WalletDirectory {
  readonly #http: WalletHttp;

  constructor(http: WalletHttp) {
    this.#http = http;
  }

  /** @param text as a person writes it: a URL, a payment pointer `$host/path`, or `host/path`. */
  async find(text: string, options?: OnBehalf): Promise<Result<RemoteWalletAddress, DiscoveryProblem>> {
    const url = walletAddressUrl(text);
    if (url === undefined) return refuse('not_a_wallet_address');
    if (this.#http.isOwn(url)) return refuse('own_wallet_address');
    const answer = await this.#http.get(url, options);
    if (!answer.ok || gaveNoAnswer(answer)) return refuse('wallet_unreachable');
    const document = answer.value.status === 200 ? WalletAddressDocument.safeParse(answer.value.body) : undefined;
    // A wallet speaks for its own host only. It says which spelling of its address is the right one.
    const isOfHost = document?.success === true && new URL(document.data.id).origin === new URL(url).origin;
    return isOfHost ? ok(document.data) : refuse('not_a_wallet_address');
  }
}

/**
 * The URL at which a wallet address is read (protocol-notes.md#PN-10). Payment pointers without a path, and bare hosts,
 * are at `/.well-known/pay`.
 */
export function walletAddressUrl(text: string): string | undefined {
  const trimmed = text.trim();
  const written = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed.replace(/^\$/, '')}`;
  // A second `://` means that another scheme was taken for a host.
  if (written.length > 2048 || /[\s?#\\]|:\/\/.*:\/\//.test(written)) return undefined;
  const url = URL.parse(written);
  if (url === null || url.username !== '' || url.password !== '' || url.hostname.endsWith('.')) return undefined;
  if (url.pathname === '/') return `${url.origin}/.well-known/pay`;
  return url.href.replace(/\/$/, '');
}
