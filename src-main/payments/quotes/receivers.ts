import type { Asset } from '../../../src-shared/amounts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { Asker, IncomingPaymentReader, RemoteProblem } from '../../remote-wallets/remote-incoming-payments.ts';
import type { WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment, type IncomingPayment, roomOf, statusOf } from '../incoming/incoming-payments.ts';

/** An incoming payment of this node that can be paid now. */
export interface OwnReceiver {
  kind: 'own';
  incomingPayment: IncomingPayment;
  asset: Asset;
}

/** An incoming payment of another wallet that could be paid when it was read. */
export interface RemoteReceiver {
  kind: 'remote';
  url: string;
  asset: Asset;
  /** How much it still takes, in units of `asset`; undefined when it has no maximum. Up to 2^64−1. */
  remaining?: bigint | undefined;
  /** What it had received, up to 2^64−1. */
  received: bigint;
  /** Milliseconds since the Unix epoch; undefined when it does not expire. */
  expiresAt?: number | undefined;
  ilpAddress: string;
  /** 32 bytes; never stored or logged. */
  sharedSecret: Buffer;
}

/** An incoming payment that can be paid now. */
export type Receiver = OwnReceiver | RemoteReceiver;

/** `unknown_receiver`: there is no such incoming payment within reach; `receiver_closed`: it takes no more money; or why another wallet could not be asked. */
export type ReceiverProblem = 'receiver_closed' | RemoteProblem;

/** The most that one more payment may bring, undefined for no limit. */
export const receiverRoom = (receiver: Receiver): bigint | undefined =>
  receiver.kind === 'own' ? roomOf(receiver.incomingPayment) : receiver.remaining;

/** What it still asks for; undefined when it has no maximum. */
export function receiverRemaining(receiver: Receiver): bigint | undefined {
  if (receiver.kind === 'remote') return receiver.remaining;
  const { incomingAmount, received } = receiver.incomingPayment;
  return incomingAmount === null ? undefined : incomingAmount - received;
}

/** When it stops taking money, in milliseconds since the Unix epoch; undefined for never. */
export const receiverExpiry = (receiver: Receiver): number | undefined =>
  receiver.kind === 'own' ? (receiver.incomingPayment.expiresAt ?? undefined) : receiver.expiresAt;

/** Finds what a receiver URL names: an incoming payment of this node, or of another wallet. */
export class Receivers {
  readonly #database: Database;
  readonly #urls: PublicUrls;
  readonly #walletAddresses: WalletAddresses;
  readonly #remote: IncomingPaymentReader;
  readonly #clock: Clock;

  constructor(parts: {
    database: Database;
    urls: PublicUrls;
    walletAddresses: WalletAddresses;
    remote: IncomingPaymentReader;
    clock: Clock;
  }) {
    this.#database = parts.database;
    this.#urls = parts.urls;
    this.#walletAddresses = parts.walletAddresses;
    this.#remote = parts.remote;
    this.#clock = parts.clock;
  }

  /** Own ones are read from the database; others over HTTP, in the name and with the key of the asker's wallet address. */
  async resolve(url: string, asker: Asker): Promise<Result<Receiver, ReceiverProblem>> {
    const own = this.#urls.parse(url);
    if (own !== undefined) return own.kind === 'incoming-payment' ? await this.#resolveOwn(own.id) : refuse('unknown_receiver');
    return await this.#resolveRemote(url, asker);
  }

  async #resolveOwn(id: string): Promise<Result<OwnReceiver, ReceiverProblem>> {
    const incomingPayment = await findIncomingPayment(this.#database.read, id);
    if (incomingPayment === undefined) return refuse('unknown_receiver');
    if (statusOf(incomingPayment, this.#clock.now()) !== 'open') return refuse('receiver_closed');
    const asset = await this.#walletAddresses.byId(incomingPayment.walletAddressId);
    return asset === undefined ? refuse('unknown_receiver') : ok({ kind: 'own', incomingPayment, asset });
  }

  async #resolveRemote(url: string, asker: Asker): Promise<Result<RemoteReceiver, ReceiverProblem>> {
    const found = await this.#remote.get(url, asker);
    if (!found.ok) return found;
    const { asset, incomingAmount, received, expiresAt, completed, method } = found.value;
    const isOpen = !completed && (expiresAt === undefined || this.#clock.now() < expiresAt);
    if (!isOpen || method === undefined || (incomingAmount !== undefined && received >= incomingAmount)) return refuse('receiver_closed');
    const remaining = incomingAmount === undefined ? undefined : incomingAmount - received;
    return ok({ kind: 'remote', url, asset, remaining, received, expiresAt, ...method });
  }
}
