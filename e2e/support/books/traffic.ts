import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ClientWallet } from '../clients/client-wallet.ts';
import { receivingToken, spendingToken } from '../clients/flows.ts';
import { type Answer, type PreparedRequest, prepare, transmit } from '../clients/raw-client.ts';
import { CURRENCIES, type Currency, otherSide, type Pair, SIDES, type Side, type TwoNodes } from '../nodes/two-nodes.ts';
import { Dice } from '../seeded.ts';
import { readBooks, unfinished } from './books.ts';

/** A payment that somebody means to make to the other node. */
interface Intention {
  readonly number: number;
  readonly from: Side;
  readonly pays: Currency;
  readonly gets: Currency;
  /** The amount, in cents of the payer's currency, or of the receiver's when the receiver names it. */
  readonly amount: bigint;
  readonly fixed: 'send' | 'delivery';
}

/** What has become of one intention so far. */
interface Course {
  /** The signed request that creates the payment. The payer repeats it to the letter until the node answers. */
  request?: PreparedRequest;
  /** The payment's URL, once the node has said that it exists. */
  payment?: string;
}

interface Tokens {
  receiving: Record<Side, string>;
  spending: Record<Side, Record<Currency, string>>;
}

/**
 * The pause before the payer sends the same request again, in milliseconds. A node that could not reach the other one
 * remembers that for half a minute, and answers at once.
 */
const RETRY_MS = 150;

/** Payers at both nodes, who pay each other in and between both currencies, from a cent or two to thousands. */
export class Traffic {
  /** The payments that a node has acknowledged, by intention. They must exist for ever. */
  readonly acknowledged = new Map<number, { side: Side; url: string }>();
  /** The number of refusals of each code. The nodes refuse nothing while both run. */
  readonly refused: Record<string, number> = {};
  readonly #nodes: Pair;
  readonly #client: ClientWallet;
  readonly #tokens: Tokens;
  readonly #dice: Dice;
  #count = 0;

  private constructor(nodes: Pair, client: ClientWallet, tokens: Tokens, seed: number) {
    this.#nodes = nodes;
    this.#client = client;
    this.#tokens = tokens;
    this.#dice = new Dice(seed);
  }

  /** The nodes need tokens that live as long as the traffic: `--token-lifetime 86400`. */
  static async between(nodes: Pair, seed: number): Promise<Traffic> {
    const client = await ClientWallet.start();
    const spend = async (side: Side, currency: Currency): Promise<string> => {
      const { walletAddress } = nodes.accounts[side][currency].payer;
      const debitAmount = { value: (10n ** 12n).toString(), assetCode: currency, assetScale: 2 };
      return (await spendingToken(nodes[side], client, walletAddress, { debitAmount })).value;
    };
    const spendOf = async (side: Side) => ({ USD: await spend(side, 'USD'), EUR: await spend(side, 'EUR') });
    const tokens = {
      receiving: { a: await receivingToken(nodes.a, client), b: await receivingToken(nodes.b, client) },
      spending: { a: await spendOf('a'), b: await spendOf('b') },
    };
    return new Traffic(nodes, client, tokens, seed);
  }

  async stop(): Promise<void> {
    await this.#client.stop();
  }

  /** Draws the next intention. `from` alternates, so that both directions are busy at once. */
  next(): Intention {
    this.#count += 1;
    const dice = this.#dice;
    const [pays, gets] = [dice.pick(CURRENCIES), dice.pick(CURRENCIES)];
    // There are as many payments of ten cents as of a thousand, because the amounts are spread evenly over their
    // numbers of digits.
    const amount = 2n + BigInt(Math.floor(10 ** (dice.below(5_300) / 1_000)));
    return {
      number: this.#count,
      from: this.#count % 2 === 0 ? 'a' : 'b',
      pays,
      gets,
      amount,
      fixed: dice.chance(0.5) ? 'send' : 'delivery',
    };
  }

  /** Tries to pay once. @throws the network's errors. @returns whether the node has acknowledged the payment. */
  async pay(intention: Intention): Promise<boolean> {
    return await this.#advance(intention, {});
  }

  /** Tries again, however often the nodes die, until the node has answered or `goOn` returns false. */
  async payThrough(intention: Intention, goOn: () => boolean): Promise<boolean> {
    const course: Course = {};
    for (;;) {
      try {
        return await this.#advance(intention, course);
      } catch (error) {
        if (!isOfTheNetwork(error)) throw error;
        if (!goOn()) return false;
        await pause(RETRY_MS);
      }
    }
  }

  async #advance(intention: Intention, course: Course): Promise<boolean> {
    course.request ??= await this.#prepare(intention);
    if (course.request === undefined) return false;
    const answer = await transmit(course.request);
    if (answer.status === 503) throw new Unavailable();
    if (answer.status !== 201) return this.#refuse(answer);
    const { id } = JSON.parse(answer.text) as { id: string };
    if (course.payment !== undefined && course.payment !== id)
      throw new Error(`one request made two payments: ${course.payment} and ${id}`);
    course.payment = id;
    this.acknowledged.set(intention.number, { side: intention.from, url: id });
    return true;
  }

  /**
   * Creates the incoming payment and asks for a quote when the receiver names the amount. Nobody has to use them,
   * because they move no money.
   */
  async #prepare({ number, from, pays, gets, amount, fixed }: Intention): Promise<PreparedRequest | undefined> {
    const to = otherSide(from);
    const [payer, shop] = [this.#nodes.accounts[from][pays].payer, this.#nodes.accounts[to][gets].shop];
    const value = amount.toString();
    const invoice = {
      walletAddress: shop.walletAddress,
      ...(fixed === 'delivery' && { incomingAmount: { value, assetCode: gets, assetScale: 2 } }),
    };
    const incomingPayment = await this.#create(to, 'incoming-payments', this.#tokens.receiving[to], invoice);
    if (incomingPayment === undefined) return undefined;
    const token = this.#tokens.spending[from][pays];
    const metadata = { intention: number, key: randomUUID() };
    const common = { walletAddress: payer.walletAddress, metadata };
    if (fixed === 'send') {
      const debitAmount = { value, assetCode: pays, assetScale: 2 };
      return this.#sign(from, 'outgoing-payments', token, { ...common, incomingPayment, debitAmount });
    }
    const quoteId = await this.#create(from, 'quotes', token, {
      walletAddress: payer.walletAddress,
      receiver: incomingPayment,
      method: 'ilp',
    });
    return quoteId === undefined ? undefined : this.#sign(from, 'outgoing-payments', token, { ...common, quoteId });
  }

  async #create(side: Side, collection: string, token: string, body: unknown): Promise<string | undefined> {
    const answer = await transmit(this.#sign(side, collection, token, body));
    if (answer.status === 503) throw new Unavailable();
    if (answer.status === 201) return (JSON.parse(answer.text) as { id: string }).id;
    this.#refuse(answer);
    return undefined;
  }

  #sign(side: Side, collection: string, token: string, body: unknown): PreparedRequest {
    return prepare(this.#client, 'POST', `${this.#nodes[side].publicUrl}/${collection}`, token, body);
  }

  #refuse({ status, text }: Answer): false {
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
    const key = `${status} ${code}`;
    this.refused[key] = (this.refused[key] ?? 0) + 1;
    return false;
  }
}

class Unavailable extends Error {
  readonly code = 'UNAVAILABLE';
}

const isOfTheNetwork = (error: unknown): boolean => error instanceof Error && 'code' in error;

/**
 * The number of times that a payer tries one intention. On a busy computer a node may not reach the other wallet in
 * time.
 */
const TRIES = 10;

/** Runs `count` payments, `width` at a time. */
export async function payMany(traffic: Traffic, count: number, width: number): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const intention = traffic.next();
      for (let tried = 0; tried < TRIES && !(await traffic.payThrough(intention, () => true)); tried += 1) await pause(1_000);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Counts the payments of both nodes that are not finished. */
export const unfinishedOf = (nodes: TwoNodes): number => SIDES.reduce((sum, side) => sum + readBooks(nodes[side], unfinished), 0);
