import { type Amount, type Asset, MAX_MOVED, sameAsset } from '../../../src-shared/amounts.ts';
import type { ExchangeAccounts } from '../../exchange/exchange-accounts.ts';
import { type Fraction, leastFor, reduced, timesDown } from '../../exchange/fraction.ts';
import type { RateProblem, Rates } from '../../exchange/rates.ts';
import type { PeerRoute, PeerRoutes } from '../../ilp/peer-links.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { type Receiver, type RemoteReceiver, receiverRemaining, receiverRoom } from './receivers.ts';

/** What to find out on the way to a receiver that only the way itself knows. */
export interface ProbeRequest {
  /** The peer that leads there: amounts of packets to it are in its asset. */
  route: PeerRoute;
  destinationAddress: string;
  /** 32 bytes. */
  sharedSecret: Buffer;
  /** In milliseconds since the Unix epoch: an answer after it comes too late. */
  deadlineMs: number;
}

/** `no_route`: no peer leads there; `unreachable`: no usable answer came in time. */
export type ProbeProblem = 'no_route' | 'unreachable';

/** Measures how many units of the receiver's asset arrive for a unit that the peer gets, by packets that cannot be fulfilled. Moves nothing. */
export interface RateProbe {
  probe(request: ProbeRequest): Promise<Result<Fraction, ProbeProblem>>;
}

export interface Wish {
  /** The asset the payment is paid with. */
  payer: Asset;
  receiver: Receiver;
  /** At most one of the two; without either, what the receiver still asks for. */
  debitAmount?: Amount | undefined;
  receiveAmount?: Amount | undefined;
  /** In milliseconds since the Unix epoch: when the answer must be there. */
  deadlineMs: number;
}

/** Both 1 to 2^63−1: the first in the payer's asset, the second in the receiver's. */
export interface PricedAmounts {
  debitAmount: bigint;
  receiveAmount: bigint;
}

/**
 * Why there is no price: `invalid_amount` (none to go by, not positive, another asset, or more than the receiver takes), `amount_too_large` (on
 * either side more than can move), `too_small` (nothing would arrive; with the least that brings something), `no_rate` and `rate_stale` (these
 * two assets cannot be exchanged now), `no_liquidity` (the exchange account has less than would be paid out), `no_route` and
 * `route_unreachable` (the receiver's wallet cannot be reached through any peer, now).
 */
export type PriceProblem =
  | { code: 'invalid_amount' | 'amount_too_large' | 'no_liquidity' | 'no_route' | 'route_unreachable' | RateProblem }
  | { code: 'too_small'; minSendAmount: Amount };

/**
 * A measured rate is good to a few digits and can move before the payment ends, so one percent less than measured is promised, which is what
 * Open Payments wallets allow each other. More than promised stays with the exchange, or with the payer where the assets are equal.
 */
const MEASURED: Fraction = { numerator: 99n, denominator: 100n };
const ONE: Fraction = { numerator: 1n, denominator: 1n };

/** What a unit of the payer is worth to the receiver. */
interface Worth {
  rate: Fraction;
  /** Where this node's exchange takes part: the asset it pays out, and how much of it for the whole payment. */
  exchanged?: { asset: Asset; payOut(amounts: PricedAmounts): bigint };
}

/** Prices payments in exact arithmetic (decisions, "the price"): rounded to a whole unit, always in the node's favour. */
export class Pricing {
  readonly #rates: Pick<Rates, 'price'>;
  readonly #exchangeAccounts: Pick<ExchangeAccounts, 'available'>;
  readonly #routes: PeerRoutes;
  readonly #prober: RateProbe;

  constructor(parts: {
    rates: Pick<Rates, 'price'>;
    exchangeAccounts: Pick<ExchangeAccounts, 'available'>;
    routes: PeerRoutes;
    prober: RateProbe;
  }) {
    this.#rates = parts.rates;
    this.#exchangeAccounts = parts.exchangeAccounts;
    this.#routes = parts.routes;
    this.#prober = parts.prober;
  }

  async price(wish: Wish): Promise<Result<PricedAmounts, PriceProblem>> {
    const { payer, receiver, debitAmount, receiveAmount, deadlineMs } = wish;
    if (debitAmount && receiveAmount) return refuse({ code: 'invalid_amount' });
    if (debitAmount && !sameAsset(debitAmount, payer)) return refuse({ code: 'invalid_amount' });
    if (receiveAmount && !sameAsset(receiveAmount, receiver.asset)) return refuse({ code: 'invalid_amount' });
    const amount = debitAmount?.value ?? receiveAmount?.value ?? receiverRemaining(receiver);
    if (amount === undefined || amount <= 0n) return refuse({ code: 'invalid_amount' });
    if (amount > MAX_MOVED) return refuse({ code: 'amount_too_large' });
    const worth =
      receiver.kind === 'remote' ? await this.#worthElsewhere(payer, receiver, deadlineMs) : this.#worthHere(payer, receiver.asset);
    if (!worth.ok) return worth;
    const amounts = debitAmount ? fixedSend(amount, payer, worth.value.rate) : fixedDelivery(amount, worth.value.rate);
    if (!amounts.ok) return amounts;
    if (amounts.value.receiveAmount > (receiverRoom(receiver) ?? MAX_MOVED)) return refuse({ code: 'invalid_amount' });
    return (await this.#canPayOut(amounts.value, worth.value)) ? amounts : refuse({ code: 'no_liquidity' });
  }

  #worthHere(payer: Asset, asset: Asset): Result<Worth, PriceProblem> {
    if (sameAsset(payer, asset)) return ok({ rate: ONE });
    const rate = this.#rates.price(payer, asset);
    if (!rate.ok) return refuse({ code: rate.error });
    return ok({ rate: rate.value, exchanged: { asset, payOut: ({ receiveAmount }) => receiveAmount } });
  }

  /** By arithmetic where what the next peer gets is what the receiver gets, else by asking the way. */
  async #worthElsewhere(payer: Asset, receiver: RemoteReceiver, deadlineMs: number): Promise<Result<Worth, PriceProblem>> {
    const { ilpAddress: destinationAddress, sharedSecret, asset } = receiver;
    const route = this.#routes.find(destinationAddress, [asset, payer]);
    // The connector exchanges once, or not at all: into the receiver's currency, or hands on the payer's.
    if (route === undefined || !(sameAsset(route.asset, asset) || sameAsset(route.asset, payer))) return refuse({ code: 'no_route' });
    const toPeer = this.#worthHere(payer, route.asset);
    if (!toPeer.ok || (route.direct && sameAsset(route.asset, asset))) return toPeer;
    const measured = await this.#prober.probe({ route, destinationAddress, sharedSecret, deadlineMs });
    if (!measured.ok) return refuse({ code: measured.error === 'unreachable' ? 'route_unreachable' : measured.error });
    const { exchanged, rate: toPeerRate } = toPeer.value;
    const rate = [measured.value, MEASURED].reduce(times, toPeerRate);
    // What the peer gets is not what the receiver gets: it is what the whole debit is worth.
    return ok({
      rate,
      ...(exchanged && { exchanged: { asset: exchanged.asset, payOut: ({ debitAmount }) => timesDown(debitAmount, toPeerRate) } }),
    });
  }

  async #canPayOut(amounts: PricedAmounts, { exchanged }: Worth): Promise<boolean> {
    return exchanged === undefined || exchanged.payOut(amounts) <= (await this.#exchangeAccounts.available(exchanged.asset));
  }
}

const times = (a: Fraction, b: Fraction): Fraction =>
  reduced({ numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator });

/** receive = floor(debit · rate). */
function fixedSend(debitAmount: bigint, payer: Asset, rate: Fraction): Result<PricedAmounts, PriceProblem> {
  const receiveAmount = timesDown(debitAmount, rate);
  if (receiveAmount > MAX_MOVED) return refuse({ code: 'amount_too_large' });
  if (receiveAmount > 0n) return ok({ debitAmount, receiveAmount });
  const value = leastFor(1n, rate);
  // Whatever can move brings nothing: there is no amount to recommend.
  if (value > MAX_MOVED) return refuse({ code: 'no_rate' });
  return refuse({ code: 'too_small', minSendAmount: { value, assetCode: payer.assetCode, assetScale: payer.assetScale } });
}

/** debit = ceil(receive / rate). */
function fixedDelivery(receiveAmount: bigint, rate: Fraction): Result<PricedAmounts, PriceProblem> {
  const debitAmount = leastFor(receiveAmount, rate);
  return debitAmount > MAX_MOVED ? refuse({ code: 'amount_too_large' }) : ok({ debitAmount, receiveAmount });
}
