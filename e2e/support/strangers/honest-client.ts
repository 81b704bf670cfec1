import { ClientWallet } from '../clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../clients/flows.ts';
import type { RunningNode } from '../nodes/running-node.ts';
import { type Latencies, TimedRequests } from './timed-requests.ts';

const OPENING = 10n ** 12n;
const AMOUNT = usd('100');

/** A shop's client with the official SDK. It is paid, reads and pays, and notes how long each answer took. */
export class HonestClient {
  readonly shop: string;
  readonly #wallet: ClientWallet;
  readonly #publicUrl: string;
  readonly #buyer: string;
  readonly #tokens: { receiving: string; spending: string };
  readonly #requests = new TimedRequests();

  private constructor(parts: {
    wallet: ClientWallet;
    publicUrl: string;
    shop: string;
    buyer: string;
    tokens: { receiving: string; spending: string };
  }) {
    this.shop = parts.shop;
    this.#wallet = parts.wallet;
    this.#publicUrl = parts.publicUrl;
    this.#buyer = parts.buyer;
    this.#tokens = parts.tokens;
  }

  static async start(node: RunningNode, shop: string): Promise<HonestClient> {
    const wallet = await ClientWallet.start();
    const { walletAddress: buyer } = await createAccount(node, 'buyer', OPENING);
    const receiving = await receivingToken(node, wallet);
    const { value: spending } = await spendingToken(node, wallet, buyer, { debitAmount: usd(String(OPENING)) });
    return new HonestClient({ wallet, publicUrl: node.publicUrl, shop, buyer, tokens: { receiving, spending } });
  }

  /** The client's id. */
  get url(): string {
    return this.#wallet.url;
  }

  /** What went wrong, and how often. */
  get failures(): Readonly<Record<string, number>> {
    return this.#requests.failures;
  }

  /** Asks for one payment and pays it. It waits until the node has accepted the payment. */
  async payOnce(): Promise<void> {
    const { incomingPayment, outgoingPayment } = this.#wallet.sdk;
    const [url, { receiving, spending }] = [this.#publicUrl, this.#tokens];
    const body = { walletAddress: this.shop, incomingAmount: AMOUNT };
    const created = await this.#requests.timed(() => incomingPayment.create({ url, accessToken: receiving }, body));
    if (created === undefined) return;
    await this.#requests.timed(() => incomingPayment.get({ url: created.id, accessToken: receiving }));
    const order = { walletAddress: this.#buyer, incomingPayment: created.id, debitAmount: AMOUNT };
    await this.#requests.timed(() => outgoingPayment.create({ url, accessToken: spending }, order));
  }

  /** Tells the latencies since the last call. */
  takeLatencies(): Latencies {
    return this.#requests.take();
  }

  async stop(): Promise<void> {
    await this.#wallet.stop();
  }
}
