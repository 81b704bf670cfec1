import type { Asset } from '../../../src-shared/amounts.ts';
import type { Core } from '../../platform/core.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { Asker, IncomingPaymentReader, RemoteProblem } from '../../remote-wallets/remote-incoming-payments.ts';
import type { WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment, type IncomingPayment, roomOf, statusOf } from '../incoming/incoming-payments.ts';

/** An incoming payment of this node that can be paid now. */
interface OwnReceiver {
  kind: 'own';
  incomingPayment: IncomingPayment;
  asset: Asset;
}

/** An incoming payment of another wallet that could be paid when the node read it. */
export interface RemoteReceiver {
  kind: 'remote';
  url: string;
  asset: Asset;
  /**
   * How much it still takes, in smallest units of `asset`, up to 2^64−1. It is undefined when there is no maximum.
   */
  remaining?: bigint | undefined;
  /** What it had received, in smallest units of `asset`, up to 2^64−1. */
  received: bigint;
  /** Milliseconds since the Unix epoch. It is undefined when the payment does not expire. */
  expiresAt?: number | undefined;
  ilpAddress: string;
  /** 32 bytes. The secret is never stored or logged. */
  sharedSecret: Buffer;
}

/** An incoming payment that can be paid now. */
export type Receiver = OwnReceiver | RemoteReceiver;

/**
 * Why a receiver cannot be paid. `unknown_receiver`: no such incoming payment is within reach. `receiver_closed`: it
 * takes no more money. The others say why another wallet could not be asked.
 */
export type ReceiverProblem = 'receiver_closed' | RemoteProblem;

/**
 * The most that one more payment may bring, in smallest units of the receiver's asset. It is undefined when there is no
 * limit.
 */
export const receiverRoom = (receiver: Receiver): bigint | undefined =>
  receiver.kind === 'own' ? roomOf(receiver.incomingPayment) : receiver.remaining;

/** What the receiver still asks for, in smallest units of its asset. It is undefined when it has no maximum. */
export function receiverRemaining(receiver: Receiver): bigint | undefined {
  if (receiver.kind === 'remote') return receiver.remaining;
  const { incomingAmount, received } = receiver.incomingPayment;
  return incomingAmount === null ? undefined : incomingAmount - received;
}

/**
 * The time at which the receiver stops taking money, in milliseconds since the Unix epoch. It is undefined when it
 * never does.
 */
export const receiverExpiry = (receiver: Receiver): number | undefined =>
  receiver.kind === 'own' ? (receiver.incomingPayment.expiresAt ?? undefined) : receiver.expiresAt;

interface Parts extends Pick<Core, 'database' | 'clock' | 'urls'> {
  walletAddresses: WalletAddresses;
  remote: IncomingPaymentReader;
}

/** Finds what a receiver URL names: an incoming payment of this node, or of another wallet. */
export class Receivers {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Reads an incoming payment of this node from the database, and another wallet's over HTTP. The other wallet is asked
   * in the name, and with the key, of the asker's wallet address.
   */
  async find(url: string, asker: Asker): Promise<Result<Receiver, ReceiverProblem>> {
    const own = this.#parts.urls.parse(url);
    if (own !== undefined) return own.kind === 'incoming-payment' ? await this.#findOwn(own.id) : refuse('unknown_receiver');
    return await this.#findRemote(url, asker);
  }

  async #findOwn(id: string): Promise<Result<OwnReceiver, ReceiverProblem>> {
    const incomingPayment = await findIncomingPayment(this.#parts.database.read, id);
    if (incomingPayment === undefined) return refuse('unknown_receiver');
    if (statusOf(incomingPayment, this.#parts.clock.now()) !== 'open') return refuse('receiver_closed');
    const asset = await this.#parts.walletAddresses.byId(incomingPayment.walletAddressId);
    return asset === undefined ? refuse('unknown_receiver') : ok({ kind: 'own', incomingPayment, asset });
  }

  async #findRemote(url: string, asker: Asker): Promise<Result<RemoteReceiver, ReceiverProblem>> {
    const found = await this.#parts.remote.get(url, asker);
    if (!found.ok) return found;
    const { asset, incomingAmount, received, expiresAt, completed, method } = found.value;
    const isOpen = !completed && (expiresAt === undefined || this.#parts.clock.now() < expiresAt);
    if (!isOpen || method === undefined || (incomingAmount !== undefined && received >= incomingAmount)) return refuse('receiver_closed');
    const remaining = incomingAmount === undefined ? undefined : incomingAmount - received;
    return ok({ kind: 'remote', url, asset, remaining, received, expiresAt, ...method });
  }
}
