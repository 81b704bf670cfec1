import { setTimeout as pause } from 'node:timers/promises';
import { ClientWallet } from '../clients/client-wallet.ts';
import { receivingToken } from '../clients/flows.ts';
import { type Latencies, TimedRequests } from './timed-requests.ts';

const VISIT_MS = 20_000;

/**
 * An honest wallet that the operator has never allowed anything. Its customers want to pay the shop. For each of them
 * it asks for a grant that needs no approval, makes an incoming payment and reads it, with the official SDK.
 */
export class UnknownWallet {
  readonly #wallet: ClientWallet;
  readonly #node: { publicUrl: string; shop: string };
  readonly #requests = new TimedRequests();
  #open = true;

  private constructor(wallet: ClientWallet, node: { publicUrl: string; shop: string }) {
    this.#wallet = wallet;
    this.#node = node;
  }

  static async start(node: { publicUrl: string; shop: string }): Promise<UnknownWallet> {
    return new UnknownWallet(await ClientWallet.start('A wallet in the next town'), node);
  }

  /** Lets one customer after the other come, until it is told to stop. */
  async serve(): Promise<void> {
    while (this.#open) {
      const next = Date.now() + VISIT_MS;
      await this.#visit();
      await pause(Math.max(0, next - Date.now()));
    }
  }

  /** What went wrong, and how often. */
  get failures(): Readonly<Record<string, number>> {
    return this.#requests.failures;
  }

  /** Tells the latencies since the last call. */
  takeLatencies(): Latencies {
    return this.#requests.take();
  }

  async stop(): Promise<void> {
    this.#open = false;
    await this.#wallet.stop();
  }

  /** @throws nothing. What was refused is counted. */
  async #visit(): Promise<void> {
    const { publicUrl: url, shop: walletAddress } = this.#node;
    const { incomingPayment } = this.#wallet.sdk;
    const accessToken = await this.#requests.timed(() => receivingToken({ publicUrl: url }, this.#wallet));
    if (accessToken === undefined) return;
    const created = await this.#requests.timed(() => incomingPayment.create({ url, accessToken }, { walletAddress }));
    if (created === undefined) return;
    await this.#requests.timed(() => incomingPayment.get({ url: created.id, accessToken }));
  }
}
