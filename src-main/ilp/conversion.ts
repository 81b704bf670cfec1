/** What a quote fixed: `debit` units of the sender's asset (without fees) arrive as `receive` units of the receiver's. Both at least 1. */
export interface Price {
  readonly debit: bigint;
  readonly receive: bigint;
}

/** What earlier attempts of the same payment have moved, as the ledger says. */
export interface Moved {
  readonly sent: bigint;
  readonly delivered: bigint;
}

/**
 * Converts the packets of one payment at its price. It counts from the payment's start: after `sent` units exactly
 * floor(sent · receive / debit) have arrived, however many packets it took. Rounding each packet by itself would lose up to a unit every time.
 */
export class Conversion {
  readonly #price: Price;
  #sent: bigint;
  #delivered: bigint;

  constructor(price: Price, moved: Moved = { sent: 0n, delivered: 0n }) {
    if (price.debit < 1n || price.receive < 1n) throw new RangeError('not a price');
    this.#price = price;
    this.#sent = moved.sent;
    this.#delivered = moved.delivered;
  }

  /** What arrives if the next packet carries `sourceAmount`; never negative. */
  arriving(sourceAmount: bigint): bigint {
    const amount = ((this.#sent + sourceAmount) * this.#price.receive) / this.#price.debit - this.#delivered;
    return amount < 0n ? 0n : amount;
  }

  /**
   * Notes that a packet's money has moved, and counts what is due for it. That is what its way was given, unless the packet went in the payer's
   * asset, which others exchange: then it is not for this node's exchange to pay a second time, nor to take back.
   */
  moved(sourceAmount: bigint): void {
    this.#delivered += this.arriving(sourceAmount);
    this.#sent += sourceAmount;
  }
}
