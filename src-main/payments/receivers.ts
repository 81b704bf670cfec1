import type { Asset } from '../../src-shared/amounts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { PublicUrls } from '../platform/public-urls.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { findIncomingPayment, type IncomingPayment, statusOf } from './incoming-payments.ts';
import type { WalletAddresses } from './wallet-addresses.ts';

/** An incoming payment that can be paid now. */
export interface Receiver {
  incomingPayment: IncomingPayment;
  asset: Asset;
}

/** `unknown_receiver`: there is no such incoming payment within reach; `receiver_closed`: it takes no more money. */
export type ReceiverProblem = 'unknown_receiver' | 'receiver_closed';

/** Finds what a receiver URL names. Only this node's incoming payments are within reach. */
export class Receivers {
  readonly #database: Database;
  readonly #urls: PublicUrls;
  readonly #walletAddresses: WalletAddresses;
  readonly #clock: Clock;

  constructor(parts: { database: Database; urls: PublicUrls; walletAddresses: WalletAddresses; clock: Clock }) {
    this.#database = parts.database;
    this.#urls = parts.urls;
    this.#walletAddresses = parts.walletAddresses;
    this.#clock = parts.clock;
  }

  async resolve(url: string): Promise<Result<Receiver, ReceiverProblem>> {
    const own = this.#urls.parse(url);
    if (own?.kind !== 'incoming-payment') return refuse('unknown_receiver');
    const incomingPayment = await findIncomingPayment(this.#database.read, own.id);
    if (incomingPayment === undefined) return refuse('unknown_receiver');
    if (statusOf(incomingPayment, this.#clock.now()) !== 'open') return refuse('receiver_closed');
    const asset = await this.#walletAddresses.byId(incomingPayment.walletAddressId);
    return asset === undefined ? refuse('unknown_receiver') : ok({ incomingPayment, asset });
  }
}
