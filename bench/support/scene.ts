import { createPublicKey } from 'node:crypto';
import { ClientWallet } from '../../e2e/support/clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../../e2e/support/clients/flows.ts';
import { prepareLikeTheSdk } from '../../e2e/support/clients/raw-client.ts';
import type { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import { type RequestBytes, requestBytes } from './load.ts';

/** What every payment of the bench moves, in cents. */
const AMOUNT = usd('100');

/**
 * A shop, a buyer with money, and a client with a right to be paid and one to pay; it signs like the official client.
 */
export class Scene {
  readonly #node: RunningNode;
  readonly #client: ClientWallet;
  readonly #wallets: { shop: string; buyer: string };
  readonly #tokens: { receiving: string; spending: string };
  #count = 0;

  private constructor(
    node: RunningNode,
    client: ClientWallet,
    wallets: { shop: string; buyer: string },
    tokens: { receiving: string; spending: string },
  ) {
    this.#node = node;
    this.#client = client;
    this.#wallets = wallets;
    this.#tokens = tokens;
  }

  /**
   * Makes the accounts and lets the client have its tokens.
   * @param suffix tells the accounts of several scenes of one node apart.
   * @param opening the money of the buyer, in cents.
   */
  static async set(node: RunningNode, suffix = '', opening = 10n ** 12n): Promise<Scene> {
    const client = await ClientWallet.start();
    const [shop, buyer] = [await createAccount(node, `shop${suffix}`, 0n), await createAccount(node, `buyer${suffix}`, opening)];
    const receiving = await receivingToken(node, client);
    const { value: spending } = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('900000000000') });
    return new Scene(node, client, { shop: shop.walletAddress, buyer: buyer.walletAddress }, { receiving, spending });
  }

  /** The client's public key as base64url. */
  get publicKey(): string {
    return String(createPublicKey(this.#client.privateKey).export({ format: 'jwk' }).x);
  }

  /** Signed requests for new incoming payments, each another one. */
  creations(count: number): RequestBytes[] {
    const walletAddress = this.#wallets.shop;
    return Array.from({ length: count }, () => {
      this.#count += 1;
      const body = { walletAddress, incomingAmount: AMOUNT, metadata: { invoice: this.#count } };
      return this.#sign('POST', `${this.#node.publicUrl}/incoming-payments`, this.#tokens.receiving, body);
    });
  }

  /** Signed requests to read each of these payments, incoming or outgoing. */
  readings(urls: readonly string[]): RequestBytes[] {
    return urls.map((url) => this.#sign('GET', url, this.#tokenFor(url)));
  }

  /** Signed requests for pages of a list, each from one of these payments on, towards older or newer ones. */
  listings(list: 'incoming-payments' | 'outgoing-payments', cursors: readonly string[]): RequestBytes[] {
    const walletAddress = list === 'incoming-payments' ? this.#wallets.shop : this.#wallets.buyer;
    return cursors.map((cursor, n) => {
      const query = new URLSearchParams({ 'wallet-address': walletAddress, cursor, [n % 2 === 0 ? 'first' : 'last']: '20' });
      const url = `${this.#node.publicUrl}/${list}?${query}`;
      return this.#sign('GET', url, this.#tokenFor(url));
    });
  }

  /** Signed requests to pay each of these incoming payments. */
  payments(incomingPayments: readonly string[]): RequestBytes[] {
    const walletAddress = this.#wallets.buyer;
    return incomingPayments.map((incomingPayment) => {
      const body = { walletAddress, incomingPayment, debitAmount: AMOUNT };
      return this.#sign('POST', `${this.#node.publicUrl}/outgoing-payments`, this.#tokens.spending, body);
    });
  }

  async leave(): Promise<void> {
    await this.#client.stop();
  }

  #tokenFor(url: string): string {
    return url.includes('/outgoing-payments') ? this.#tokens.spending : this.#tokens.receiving;
  }

  #sign(method: string, url: string, token: string, content?: unknown): RequestBytes {
    const { headers, body } = prepareLikeTheSdk(this.#client, method, url, token, content);
    return requestBytes(method, url, headers, body);
  }
}

/** The id in the answer to a creation: the URL of what was created. */
export const idOf = (body: Buffer): string => (JSON.parse(body.toString()) as { id: string }).id;
