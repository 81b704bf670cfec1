import { setTimeout as pause } from 'node:timers/promises';
import type { Dice } from '../seeded.ts';
import type { ClientWallet } from './client-wallet.ts';
import { usd } from './flows.ts';
import { type PreparedRequest, prepare, transmit } from './raw-client.ts';

/** What the clients of a cluster know. */
export interface Ledger {
  /** The URL of the node: the balancer in front of its replicas. */
  readonly origin: string;
  readonly wallet: ClientWallet;
  readonly shop: { id: string; walletAddress: string };
  readonly buyer: { id: string; walletAddress: string };
  readonly receiving: string;
  readonly spending: string;
  /** What each payment moves, in cents. */
  readonly amount: bigint;
}

/** A call to the node, on the clock of the test, in milliseconds. */
export interface Call {
  readonly start: number;
  readonly end: number;
  /** With `unknown` nobody knows whether the call did what it was for, or will. */
  readonly outcome: 'ok' | 'refused' | 'unknown';
  /** What was made, read or written. */
  readonly id?: string;
}

/** A call of a client. Its id is the last part of a URL. */
export interface ClientCall extends Call {
  readonly kind: 'invoice' | 'payment' | 'read';
}

/** A signature is good for a minute. A client that repeats its request for longer signs it anew. */
const REPEATED_FOR_MS = 40_000;
/** A request that reaches the node so late, on a machine with much other work, may be refused for its signature. */
const LATE_MS = 55_000;
const PAUSE_MS = 150;
const PATHS = { invoice: '/incoming-payments', payment: '/outgoing-payments' } as const;

/** A careful client: it repeats a request byte by byte until it has an answer, and notes each call. */
export class Client {
  readonly log: ClientCall[] = [];
  readonly #ledger: Ledger;
  readonly #dice: Dice;
  /** What each payment was when this client last read it. It must not go back. */
  readonly #ended = new Set<string>();

  constructor(ledger: Ledger, dice: Dice) {
    this.#ledger = ledger;
    this.#dice = dice;
  }

  /**
   * Makes invoices, pays them, and reads both, until it is told to stop.
   * @throws Error when the node contradicts itself.
   */
  async work(goOn: () => boolean): Promise<void> {
    const { shop, buyer, receiving, spending, amount } = this.#ledger;
    while (goOn()) {
      const invoice = await this.#create('invoice', receiving, {
        walletAddress: shop.walletAddress,
        incomingAmount: usd(`${amount}`),
      });
      if (invoice === undefined) continue;
      const debitAmount = usd(`${amount}`);
      const payment = await this.#create('payment', spending, {
        walletAddress: buyer.walletAddress,
        incomingPayment: invoice,
        debitAmount,
      });
      if (payment === undefined) continue;
      await this.#read(this.#dice.chance(0.5) ? payment : (this.#earlier() ?? payment));
    }
  }

  #earlier(): string | undefined {
    const payments = this.log.filter(({ kind, outcome }) => kind === 'payment' && outcome === 'ok');
    return payments.length === 0 ? undefined : `${this.#ledger.origin}/outgoing-payments/${this.#dice.pick(payments).id}`;
  }

  #note(kind: ClientCall['kind'], start: number, answer: { outcome: Call['outcome']; url?: string | undefined }): void {
    const { outcome, url } = answer;
    this.log.push({ kind, start, end: performance.now(), outcome, ...(url !== undefined && { id: url.slice(url.lastIndexOf('/') + 1) }) });
  }

  /** @returns the URL of what was made; undefined when nobody answered in time: then it may have been made or not. */
  async #create(
    kind: 'invoice' | 'payment',
    token: string,
    body: { walletAddress: string; incomingPayment?: string; incomingAmount?: object; debitAmount?: object },
  ): Promise<string | undefined> {
    const path = PATHS[kind];
    const start = performance.now();
    const answer = await this.#ask(prepare(this.#ledger.wallet, 'POST', `${this.#ledger.origin}${path}`, token, body));
    if (answer === undefined) {
      this.#note(kind, start, { outcome: 'unknown' });
      return undefined;
    }
    if (answer.status !== 201) {
      this.#note(kind, start, { outcome: 'refused' });
      // What the node says of the invoice now tells one that is gone from one that is paid.
      const invoice = body.incomingPayment === undefined ? undefined : await this.#state(body.incomingPayment);
      throw new Error(`${path} was refused: ${answer.status} ${answer.text}; its invoice: ${invoice ?? 'none'}`);
    }
    const url = (JSON.parse(answer.text) as { id: string }).id;
    this.#note(kind, start, { outcome: 'ok', url });
    return url;
  }

  async #state(invoice: string): Promise<string> {
    const answer = await this.#ask(prepare(this.#ledger.wallet, 'GET', invoice, this.#ledger.receiving));
    return answer === undefined ? 'no answer' : `${answer.status} ${answer.text}`;
  }

  /** What was acknowledged is found at whatever replica answers, and a payment that has ended stays so. */
  async #read(url: string): Promise<void> {
    const start = performance.now();
    const answer = await this.#ask(prepare(this.#ledger.wallet, 'GET', url, this.#ledger.spending));
    if (answer === undefined) return this.#note('read', start, { outcome: 'unknown', url });
    if (answer.status !== 200) throw new Error(`${url} was acknowledged, and is now ${answer.status} ${answer.text}`);
    const { failed, sentAmount } = JSON.parse(answer.text) as { failed: boolean; sentAmount: { value: string } };
    const hasEnded = BigInt(sentAmount.value) === this.#ledger.amount;
    if (failed) throw new Error(`${url} failed`);
    if (this.#ended.has(url) && !hasEnded) throw new Error(`${url} had ended, and now it has not`);
    if (hasEnded) this.#ended.add(url);
    this.#note('read', start, { outcome: 'ok', url });
  }

  /**
   * Sends the very same request until an answer comes that is neither "try again" nor a lost connection.
   * @returns undefined when nobody knows what became of it: no answer came, or only one to a signature that is too old.
   */
  async #ask(request: PreparedRequest) {
    const begun = performance.now();
    const age = (): number => performance.now() - begun;
    while (age() < REPEATED_FOR_MS) {
      const answer = await transmit(request).catch(() => undefined);
      if (answer?.status === 401 && age() > LATE_MS) return undefined;
      if (answer !== undefined && answer.status !== 503 && answer.status !== 429) return answer;
      await pause(PAUSE_MS);
    }
    return undefined;
  }
}
