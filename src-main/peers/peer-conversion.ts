import { type Fraction, timesDown } from '../exchange/fraction.ts';

/** What has gone through at one rate. */
interface Run {
  /** Units of the receiver's asset per unit of the peer's. */
  readonly rate: Fraction;
  readonly source: bigint;
  readonly arrived: bigint;
}

/**
 * For how many payments the sums are remembered. The sums of those used longest ago are read from the database again.
 */
const REMEMBERED = 1_000;

/**
 * Converts the packets of one payment, one after the other, so that together they lose less than one unit: after
 * `source` units exactly floor(source · rate) have arrived, however many packets it took. A new rate begins a new run,
 * and what came before keeps its own rate.
 */
export class PeerConversion {
  readonly #runs = new Map<string, Run>();

  /**
   * Tells what arrives if the next packet of this payment carries `sourceAmount`, in smallest units of the receiver's
   * asset.
   * @param soFar tells what the payment has brought already. It is called when that is not remembered, for example
   * after a restart.
   */
  async arriving(
    key: string,
    sourceAmount: bigint,
    rate: Fraction,
    soFar: () => Promise<{ source: bigint; arrived: bigint }>,
  ): Promise<bigint> {
    const known = this.#runs.get(key) ?? { rate, ...(await soFar()) };
    const run = continues(known, rate) ? known : { rate, source: 0n, arrived: 0n };
    this.#remember(key, run);
    return timesDown(run.source + sourceAmount, rate) - run.arrived;
  }

  /** Notes that a packet's money has moved. */
  moved(key: string, sourceAmount: bigint, amount: bigint): void {
    const run = this.#runs.get(key);
    if (run !== undefined) this.#remember(key, { ...run, source: run.source + sourceAmount, arrived: run.arrived + amount });
  }

  /** Forgets a payment. Called when it is not known whether a packet's money has moved: the database will say. */
  forget(key: string): void {
    this.#runs.delete(key);
  }

  #remember(key: string, run: Run): void {
    this.#runs.delete(key);
    this.#runs.set(key, run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > REMEMBERED && oldest !== undefined) this.#runs.delete(oldest);
  }
}

/**
 * Whether what came before came at this rate. Then the rest of a unit that it left is carried on, and never given
 * twice.
 */
const continues = (run: Run, rate: Fraction): boolean =>
  run.rate.numerator * rate.denominator === rate.numerator * run.rate.denominator && timesDown(run.source, rate) === run.arrived;

/** The key of what is counted together: one peer's packets to one incoming payment. */
export const conversionKey = (peerId: string, incomingPaymentId: string): string => `${peerId} ${incomingPaymentId}`;
