import { type Amount, type Asset, MAX_MOVED, sameAsset } from '../../../src-shared/amounts.ts';
import type { ExchangeAccounts } from '../../exchange/exchange-accounts.ts';
import { afterFee, type Fee, leastDebitFor } from '../../exchange/fee.ts';
import { type Fraction, leastFor, times, timesDown } from '../../exchange/fraction.ts';
import type { RateProblem, Rates, UsedTerms } from '../../exchange/rates.ts';
import type { PeerRoutes } from '../../ilp/peer-links.ts';
import type { Prober } from '../../ilp/prober.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { type Receiver, type RemoteReceiver, receiverRemaining, receiverRoom } from './receivers.ts';

/** The facts of a payment to price. */
export interface Wish {
  /** The asset with which the payer pays. */
  payer: Asset;
  receiver: Receiver;
  /**
   * The caller gives at most one of the two amounts. Without either, the payment brings what the receiver still asks
   * for.
   */
  debitAmount?: Amount | undefined;
  receiveAmount?: Amount | undefined;
  /** The time by which the answer must be there, in milliseconds since the Unix epoch. */
  deadlineMs: number;
}

/**
 * The two amounts of a payment, each 1 to 2^63−1: `debitAmount` in smallest units of the payer's asset,
 * `receiveAmount` in smallest units of the receiver's.
 */
interface Price {
  debitAmount: bigint;
  receiveAmount: bigint;
}

/** A price, and the terms of this node by which it was calculated, if it needed some. */
interface Priced {
  price: Price;
  used: UsedTerms | undefined;
}

/**
 * Why there is no price.
 * - `invalid_amount`: there is no amount to go by, or it is not positive, in another asset, or more than the receiver
 *   takes.
 * - `amount_too_large`: more than can move, on either side (decisions.md#D-12).
 * - `too_small`: nothing would arrive. `minSendAmount` is the least that brings something.
 * - `no_rate`, `rate_stale`: these two assets cannot be exchanged now.
 * - `no_liquidity`: the exchange account has less than the payment would pay out.
 * - `no_route`, `route_unreachable`: the receiver's wallet cannot be reached through any peer now.
 */
export type PriceProblem =
  | { code: 'invalid_amount' | 'amount_too_large' | 'no_liquidity' | 'no_route' | 'route_unreachable' | RateProblem }
  | { code: 'too_small'; minSendAmount: Amount };

/**
 * A measured rate is exact to a few digits only, and it can move before the payment ends. So the quote promises one
 * percent less than was measured, which is what Open Payments wallets allow each other (decisions.md#D-52). If more
 * arrives than was promised, the difference stays with the exchange, or with the payer where the assets are equal.
 */
const MEASURED: Fraction = { numerator: 99n, denominator: 100n };
const ONE: Fraction = { numerator: 1n, denominator: 1n };

/** What a unit of the payer's asset is worth to the receiver, once this node has taken its fee. */
interface Worth {
  rate: Fraction;
  fee?: Fee | undefined;
  /** This node's part, when its exchange takes part: the terms, and how much it pays out for the whole payment. */
  exchanged?: { used: UsedTerms; payOut(price: Price): bigint };
}

interface Parts {
  rates: Pick<Rates, 'termsBetween'>;
  exchangeAccounts: Pick<ExchangeAccounts, 'available'>;
  routes: PeerRoutes;
  prober: Pick<Prober, 'probe'>;
}

/** Prices payments in exact arithmetic. It rounds to a whole unit, always in the node's favour (decisions.md#D-19). */
export class Pricing {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Finds the price of a payment. It moves and reserves nothing. */
  async price(wish: Wish): Promise<Result<Priced, PriceProblem>> {
    const { payer, receiver, debitAmount, deadlineMs } = wish;
    const amount = amountWanted(wish);
    if (amount === undefined || amount <= 0n) return refuse({ code: 'invalid_amount' });
    if (amount > MAX_MOVED) return refuse({ code: 'amount_too_large' });
    const worth =
      receiver.kind === 'remote' ? await this.#worthElsewhere(payer, receiver, deadlineMs) : await this.#worthHere(payer, receiver.asset);
    if (!worth.ok) return worth;
    const price = debitAmount ? fixedSend(amount, payer, worth.value) : fixedDelivery(amount, worth.value);
    if (!price.ok) return price;
    if (price.value.receiveAmount > (receiverRoom(receiver) ?? MAX_MOVED)) return refuse({ code: 'invalid_amount' });
    if (!(await this.#canPayOut(price.value, worth.value))) return refuse({ code: 'no_liquidity' });
    return ok({ price: price.value, used: worth.value.exchanged?.used });
  }

  async #worthHere(payer: Asset, asset: Asset): Promise<Result<Worth, PriceProblem>> {
    if (sameAsset(payer, asset)) return ok({ rate: ONE });
    const terms = await this.#parts.rates.termsBetween(payer, asset);
    if (!terms.ok) return refuse({ code: terms.error });
    const used = { from: payer, to: asset, ...terms.value };
    return ok({ ...terms.value, exchanged: { used, payOut: ({ receiveAmount }) => receiveAmount } });
  }

  /** Calculates the rate where the receiver gets what the next peer gets. Otherwise it measures the way. */
  async #worthElsewhere(payer: Asset, receiver: RemoteReceiver, deadlineMs: number): Promise<Result<Worth, PriceProblem>> {
    const { ilpAddress: destinationAddress, sharedSecret, asset } = receiver;
    const route = this.#parts.routes.find(destinationAddress, [asset, payer]);
    // The connector exchanges once or not at all: it sends the receiver's currency, or hands on the payer's.
    if (route === undefined || !(sameAsset(route.asset, asset) || sameAsset(route.asset, payer))) return refuse({ code: 'no_route' });
    const toPeer = await this.#worthHere(payer, route.asset);
    if (!toPeer.ok || (route.direct && sameAsset(route.asset, asset))) return toPeer;
    const measured = await this.#parts.prober.probe({ route, destinationAddress, sharedSecret, deadlineMs });
    if (!measured.ok) return refuse({ code: 'route_unreachable' });
    const { exchanged, rate: toPeerRate, fee } = toPeer.value;
    const rate = [measured.value, MEASURED].reduce(times, toPeerRate);
    // The exchange pays out what the peer gets, which is what the whole debit is worth. The receiver gets another
    // amount.
    const payOut = ({ debitAmount }: Price) => timesDown(afterFee(debitAmount, fee), toPeerRate);
    return ok({ rate, fee, ...(exchanged && { exchanged: { used: exchanged.used, payOut } }) });
  }

  async #canPayOut(price: Price, { exchanged }: Worth): Promise<boolean> {
    return exchanged === undefined || exchanged.payOut(price) <= (await this.#parts.exchangeAccounts.available(exchanged.used.to));
  }
}

/**
 * The amount that decides the price: the one that the payer names, or else what the receiver still asks for.
 * @returns undefined when there is none, when the payer names both amounts, or when an amount is in the wrong asset.
 */
function amountWanted({ payer, receiver, debitAmount, receiveAmount }: Wish): bigint | undefined {
  if (debitAmount && receiveAmount) return undefined;
  if (debitAmount) return sameAsset(debitAmount, payer) ? debitAmount.value : undefined;
  if (receiveAmount) return sameAsset(receiveAmount, receiver.asset) ? receiveAmount.value : undefined;
  return receiverRemaining(receiver);
}

/** receive = floor((debit − fee) · rate). */
function fixedSend(debitAmount: bigint, payer: Asset, { rate, fee }: Worth): Result<Price, PriceProblem> {
  const receiveAmount = timesDown(afterFee(debitAmount, fee), rate);
  if (receiveAmount > MAX_MOVED) return refuse({ code: 'amount_too_large' });
  if (receiveAmount > 0n) return ok({ debitAmount, receiveAmount });
  const value = leastDebitFor(leastFor(1n, rate), fee);
  // No amount that can move brings anything, so there is none to recommend.
  if (value > MAX_MOVED) return refuse({ code: 'no_rate' });
  return refuse({ code: 'too_small', minSendAmount: { value, assetCode: payer.assetCode, assetScale: payer.assetScale } });
}

/** The least debit of which, after the fee, `receiveAmount` arrives. */
function fixedDelivery(receiveAmount: bigint, { rate, fee }: Worth): Result<Price, PriceProblem> {
  const debitAmount = leastDebitFor(leastFor(receiveAmount, rate), fee);
  return debitAmount > MAX_MOVED ? refuse({ code: 'amount_too_large' }) : ok({ debitAmount, receiveAmount });
}
