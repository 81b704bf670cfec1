import type { Asset } from '../../src-shared/amounts.ts';
import type { Result } from '../platform/result.ts';

/** For whom another wallet is asked. */
export interface Asker {
  /** Id of the client that makes the node ask; null for the operator. */
  client: string | null;
  /** The own wallet address in whose name, and with whose key, the node asks. */
  walletAddressId: string;
}

/**
 * Why nothing is known of an incoming payment elsewhere.
 * - `unknown_receiver`: the URL cannot be one, or its wallet says that there is none.
 * - `receiver_unreachable`: its wallet, or that wallet's authorization server, gave no usable answer. Hosts the node does not talk to
 *   look the same.
 * - `receiver_refused`: its wallet does not let this node read it.
 * - `receiver_busy`: as many are being looked up for this client, or at this host, as may be.
 */
export type RemoteProblem = 'unknown_receiver' | 'receiver_unreachable' | 'receiver_refused' | 'receiver_busy';

/** An incoming payment of another wallet as that wallet describes it now. */
export interface RemoteIncomingPayment {
  url: string;
  walletAddress: string;
  asset: Asset;
  /** The most it takes, undefined for no limit. As `received`, up to 2^64−1. */
  incomingAmount?: bigint | undefined;
  received: bigint;
  /** Milliseconds since the Unix epoch. */
  expiresAt?: number | undefined;
  completed: boolean;
  /** Where it takes money, with its 32-byte secret; absent when it takes none any more. */
  method?: { ilpAddress: string; sharedSecret: Buffer } | undefined;
}

/** Reads incoming payments of other wallets. */
export interface IncomingPaymentReader {
  get(url: string, asker: Asker): Promise<Result<RemoteIncomingPayment, RemoteProblem>>;
}
