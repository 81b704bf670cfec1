import { performance } from 'node:perf_hooks';
import { ClientWallet } from '../clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../clients/flows.ts';
import type { RunningNode } from '../nodes/running-node.ts';

const OPENING = 10n ** 12n;
const AMOUNT = usd('100');

/** How long answers took. */
interface Latencies {
  readonly requests: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** A shop's client with the official SDK. It is paid, reads and pays, and notes how long each answer took. */
export class HonestClient {
  readonly shop: string;
  readonly #wallet: ClientWallet;
  readonly #publicUrl: string;
  readonly #buyer: string;
  readonly #tokens: { receiving: string; spending: string };
  #times: number[] = [];
  /** What went wrong, and how often. */
  readonly failures: Record<string, number> = {};

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

  /** Asks for one payment and pays it. It waits until the node has accepted the payment. */
  async payOnce(): Promise<void> {
    const { incomingPayment, outgoingPayment } = this.#wallet.sdk;
    const [url, { receiving, spending }] = [this.#publicUrl, this.#tokens];
    const body = { walletAddress: this.shop, incomingAmount: AMOUNT };
    const created = await this.#timed(() => incomingPayment.create({ url, accessToken: receiving }, body));
    if (created === undefined) return;
    await this.#timed(() => incomingPayment.get({ url: created.id, accessToken: receiving }));
    const order = { walletAddress: this.#buyer, incomingPayment: created.id, debitAmount: AMOUNT };
    await this.#timed(() => outgoingPayment.create({ url, accessToken: spending }, order));
  }

  /** Tells the latencies since the last call. */
  takeLatencies(): Latencies {
    const sorted = this.#times.sort((a, b) => a - b);
    this.#times = [];
    const quantile = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
    return { requests: sorted.length, p50: quantile(0.5), p99: quantile(0.99) };
  }

  async stop(): Promise<void> {
    await this.#wallet.stop();
  }

  /** A refused request counts with the time after which it was refused. */
  async #timed<T>(act: () => Promise<T>): Promise<T | undefined> {
    const began = performance.now();
    try {
      return await act();
    } catch (error) {
      const status = error instanceof Error && 'status' in error ? error.status : undefined;
      const failure = status === undefined ? String(error) : String(status);
      this.failures[failure] = (this.failures[failure] ?? 0) + 1;
      return undefined;
    } finally {
      this.#times.push(performance.now() - began);
    }
  }
}
