/**
 * The two amounts that a quote fixed: `debit` units of the sender's asset (without fees) arrive as `receive` units of
 * the receiver's. Both are at least 1.
 */
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
 * Converts the packets of one payment at its price. It counts from the payment's start: after `sent` units, exactly
 * floor(sent · receive / debit) have arrived, however many packets it took. If each packet were rounded by itself, up
 * to a unit would be lost every time.
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

  /**
   * Tells what arrives if the next packet carries `sourceAmount`, in smallest units of the receiver's asset. It is
   * never negative.
   */
  arriving(sourceAmount: bigint): bigint {
    const amount = ((this.#sent + sourceAmount) * this.#price.receive) / this.#price.debit - this.#delivered;
    return amount < 0n ? 0n : amount;
  }

  /**
   * Notes that a packet's money has moved, and counts what is due for it. Usually that is what its way was given. A
   * packet that went in the payer's asset is exchanged by others: this node's exchange must not pay for it a second
   * time, nor take it back.
   */
  moved(sourceAmount: bigint): void {
    this.#delivered += this.arriving(sourceAmount);
    this.#sent += sourceAmount;
  }
}
