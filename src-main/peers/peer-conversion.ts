/** Units of the receiver's asset per unit of the peer's, as an exact fraction. */
export interface Rate {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** What has gone through at one rate. */
interface Run {
  readonly rate: Rate;
  readonly source: bigint;
  readonly arrived: bigint;
}

/** Payments of which the sums are remembered; of more, those used longest ago are read from the database again. */
const REMEMBERED = 1_000;

/**
 * Converts the packets of one payment after the other so that they lose less than one unit together: after `source` units exactly
 * floor(source · rate) have arrived, however many packets it took. A new rate begins a new run, and what came before keeps its own.
 */
export class PeerConversion {
  readonly #runs = new Map<string, Run>();

  /**
   * What arrives if the next packet of this payment carries `sourceAmount`.
   * @param soFar what it has brought already, asked for when that is not remembered: after a restart, say.
   */
  async arriving(
    key: string,
    sourceAmount: bigint,
    rate: Rate,
    soFar: () => Promise<{ source: bigint; arrived: bigint }>,
  ): Promise<bigint> {
    const known = this.#runs.get(key) ?? { rate, ...(await soFar()) };
    const run = continues(known, rate) ? known : { rate, source: 0n, arrived: 0n };
    this.#remember(key, run);
    return converted(run.source + sourceAmount, rate) - run.arrived;
  }

  /** Notes that a packet's money has moved. */
  moved(key: string, sourceAmount: bigint, amount: bigint): void {
    const run = this.#runs.get(key);
    if (run !== undefined) this.#remember(key, { ...run, source: run.source + sourceAmount, arrived: run.arrived + amount });
  }

  /** Whether a packet's money has moved is not known: the database will say. */
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

const converted = (amount: bigint, { numerator, denominator }: Rate): bigint => (amount * numerator) / denominator;

/** Whether what came before came at this rate: the rest of a unit that it left is carried on then, and never given twice. */
const continues = (run: Run, rate: Rate): boolean =>
  run.rate.numerator * rate.denominator === rate.numerator * run.rate.denominator && converted(run.source, rate) === run.arrived;

/** Of what is counted together. */
export const conversionKey = (peerId: string, incomingPaymentId: string): string => `${peerId} ${incomingPaymentId}`;
