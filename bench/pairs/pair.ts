import { setTimeout as pause } from 'node:timers/promises';
import { createAccount, receivingToken, spendingToken } from '../../e2e/support/clients/flows.ts';
import { type Currency, TwoNodes } from '../../e2e/support/nodes/two-nodes.ts';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { Callers } from './callers.ts';

const FLAGS = ['--token-lifetime', '86400', '--client-rate', '0', '--log-level', 'error'];
const OPENING = 10n ** 12n;
/** What each payment moves, in cents of the receiver's currency. */
export const AMOUNT = '100';
/** The first look at a payment comes after so many milliseconds. Each pause after that is twice as long as the last. */
const FIRST_LOOK_MS = 10;
const LONGEST_PAUSE_MS = 320;
const GIVE_UP_MS = 60_000;

interface Payer {
  readonly account: Account;
  readonly token: string;
}

/** Who pays whom. Payments take the payers and the shops in turn. */
export interface Parties {
  readonly payers: readonly Payer[];
  readonly shops: readonly Account[];
}

/** Two nodes, and clients who have the one paid by the other through the public API alone. */
export class Pair {
  readonly nodes: TwoNodes;
  readonly callers: Callers;
  readonly #receiving: string;
  #count = 0;

  private constructor(nodes: TwoNodes, callers: Callers, receiving: string) {
    this.nodes = nodes;
    this.callers = callers;
    this.#receiving = receiving;
  }

  /** @param line how far apart the nodes are, there and back, and the most cents that one packet carries. */
  static async open(line: { roundTripMs?: number; maxPacketAmount?: bigint } = {}): Promise<Pair> {
    const nodes = await TwoNodes.start({ flags: FLAGS, ...line });
    const callers = await Callers.start();
    return new Pair(nodes, callers, await receivingToken(nodes.b, callers.client));
  }

  async close(): Promise<void> {
    await this.callers.stop();
    await this.nodes.stop();
  }

  /** Opens accounts at both nodes, and gets a token for each payer. */
  async parties(name: string, count: { payers: number; shops: number; pays?: Currency; gets?: Currency }): Promise<Parties> {
    const { pays = 'USD', gets = 'USD' } = count;
    const payers: Payer[] = [];
    for (let n = 0; n < count.payers; n += 1) {
      const account = await createAccount(this.nodes.a, `${name}-payer-${n}`, OPENING, pays);
      const debitAmount = { value: OPENING.toString(), assetCode: pays, assetScale: 2 };
      const { value } = await spendingToken(this.nodes.a, this.callers.client, account.walletAddress, { debitAmount });
      payers.push({ account, token: value });
    }
    const shops: Account[] = [];
    for (let n = 0; n < count.shops; n += 1) shops.push(await createAccount(this.nodes.b, `${name}-shop-${n}`, 0n, gets));
    return { payers, shops };
  }

  /**
   * One payment, from asking for the invoice until the payer's client has seen it completed.
   * @returns how many milliseconds it took. It is undefined when a node refused something.
   */
  async pay({ payers, shops }: Parties): Promise<number | undefined> {
    const number = this.#count++;
    const [payer, shop] = [payers[number % payers.length], shops[number % shops.length]];
    if (payer === undefined || shop === undefined) throw new Error('nobody pays, or nobody is paid');
    const { assetCode, assetScale } = shop;
    const began = performance.now();
    const incoming = await this.callers.send('invoice', {
      method: 'POST',
      url: `${this.nodes.b.publicUrl}/incoming-payments`,
      token: this.#receiving,
      body: { walletAddress: shop.walletAddress, incomingAmount: { value: AMOUNT, assetCode, assetScale }, metadata: { number } },
    });
    if (incoming === undefined) return undefined;
    // Across currencies this amount does not fill the invoice, which does not matter here.
    const debitAmount = { value: AMOUNT, assetCode: payer.account.assetCode, assetScale: 2 };
    const made = await this.callers.send('pay', {
      method: 'POST',
      url: `${this.nodes.a.publicUrl}/outgoing-payments`,
      token: payer.token,
      body: { walletAddress: payer.account.walletAddress, incomingPayment: idOf(incoming), debitAmount, metadata: { number } },
    });
    if (made === undefined) return undefined;
    await this.#end(idOf(made), payer.token);
    return performance.now() - began;
  }

  async #end(url: string, token: string): Promise<void> {
    const until = performance.now() + GIVE_UP_MS;
    for (let wait = FIRST_LOOK_MS; performance.now() < until; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      await pause(wait);
      const payment = (await this.callers.send('poll', { method: 'GET', url, token })) as Payment | undefined;
      if (payment?.failed === true) throw new Error(`a payment failed: ${url}`);
      if (payment !== undefined && payment.sentAmount.value === payment.debitAmount.value) return;
    }
    throw new Error(`a payment did not end within a minute: ${url}`);
  }
}

interface Payment {
  readonly failed: boolean;
  readonly sentAmount: { readonly value: string };
  readonly debitAmount: { readonly value: string };
}

const idOf = (document: unknown): string => (document as { id: string }).id;
