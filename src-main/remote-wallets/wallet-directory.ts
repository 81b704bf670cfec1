import { z } from '../../src-shared/zod.ts';
import type { OnBehalf, OutboundProblem } from '../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { WalletAddressDocument } from './documents.ts';
import { gaveNoAnswer, type WalletHttp } from './wallet-http.ts';

/** A wallet address at another wallet: its URL, its asset, and where to ask for grants and for payments. */
export type RemoteWalletAddress = z.infer<typeof WalletAddressDocument>;

/**
 * Why no wallet address was found.
 * - `not_a_wallet_address`: the text is none, or there is nothing of the kind at its URL.
 * - `own_wallet_address`: it is of this node, which never asks itself over HTTP.
 * - `wallet_not_resolved`: its host has no address on the internet. Hosts with which the node does not talk look the
 *   same, so that nobody learns the names of a network from this node.
 * - `wallet_not_secure`: it is written with http, or its host has no TLS that can be trusted.
 * - `wallet_other_protocol`: the document there is of an older protocol, or names no authorization server.
 * - `wallet_unreachable`: there was no usable answer.
 */
export type DiscoveryProblem =
  | 'not_a_wallet_address'
  | 'own_wallet_address'
  | 'wallet_not_resolved'
  | 'wallet_not_secure'
  | 'wallet_other_protocol'
  | 'wallet_unreachable';

const WITHOUT_ANSWER: Partial<Record<OutboundProblem, DiscoveryProblem>> = {
  not_resolved: 'wallet_not_resolved',
  address_not_allowed: 'wallet_not_resolved',
  not_secure: 'wallet_not_secure',
  scheme_not_allowed: 'wallet_not_secure',
  not_json: 'not_a_wallet_address',
  redirected: 'not_a_wallet_address',
  too_large: 'not_a_wallet_address',
};

/**
 * What only wallets write: an account with a currency (Open Payments of whatever version), or where to open a STREAM
 * connection (SPSP, its predecessor).
 */
const IsOfAWallet = z.union([z.object({ id: z.string(), assetCode: z.string() }), z.object({ destination_account: z.string() })]);

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
    if (!answer.ok) return refuse(WITHOUT_ANSWER[answer.error] ?? 'wallet_unreachable');
    if (gaveNoAnswer(answer)) return refuse('wallet_unreachable');
    if (answer.value.status !== 200) return refuse('not_a_wallet_address');
    const document = WalletAddressDocument.safeParse(answer.value.body);
    if (!document.success)
      return refuse(IsOfAWallet.safeParse(answer.value.body).success ? 'wallet_other_protocol' : 'not_a_wallet_address');
    // A wallet speaks for its own host only. It says which spelling of its address is the right one.
    const isOfHost = new URL(document.data.id).origin === new URL(url).origin;
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
