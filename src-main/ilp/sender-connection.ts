import { longFromValue } from 'ilp-protocol-stream/dist/src/util/long.js';
import type { Asset } from '../../src-shared/amounts.ts';
import type { Price } from './conversion.ts';
import { ExactRate } from './exact-rate.ts';
import { ignore, ShimmedConnection } from './stream-shims.ts';

/** What the sending end of one STREAM connection needs. */
interface SenderConnectionOptions {
  readonly destinationAddress: string;
  readonly sourceAddress: string;
  readonly sharedSecret: Buffer;
  readonly sourceAsset: Asset;
  readonly price: Price | undefined;
  readonly maxPacketAmount: bigint;
  /** Takes a PREPARE and answers with its FULFILL or REJECT. What it throws ends the connection. */
  readonly sendData: (prepare: Buffer) => Promise<Buffer>;
  readonly expiry: () => Date;
}

/**
 * The sending end of a STREAM connection, for one amount. The rate is fixed before the first packet. So no probe is
 * sent, and the receiver is told the least each packet must bring.
 */
export class SenderConnection extends ShimmedConnection {
  constructor({
    destinationAddress,
    sourceAddress,
    sharedSecret,
    sourceAsset,
    price,
    maxPacketAmount,
    sendData,
    expiry,
  }: SenderConnectionOptions) {
    super({
      ...sourceAsset,
      connectionId: 'sender',
      isServer: false,
      sourceAccount: sourceAddress,
      destinationAccount: destinationAddress,
      sharedSecret,
      getExpiry: expiry,
      plugin: {
        connect: () => Promise.resolve(),
        disconnect: () => Promise.resolve(),
        isConnected: () => true,
        sendData,
        registerDataHandler: ignore,
        deregisterDataHandler: ignore,
      },
    });
    Object.assign(this, { exchangeRate: price ? new ExactRate(price.receive, price.debit) : new ExactRate(1n, 1n) });
    // With a fixed rate there is nothing to find out. So the connection counts as made, and the first packet carries
    // the money.
    this.connected = true;
    this.closed = false;
    // The library ignores its option `maximumPacketAmount` when the rate is fixed.
    this.congestion.setMaximumAmounts(longFromValue(maxPacketAmount.toString(), true));
  }

  /**
   * Sends `amount` smallest units. It resolves when the connection sends no more, for whatever reason, and has nothing
   * under way.
   */
  async send(amount: bigint): Promise<void> {
    const stream = this.createStream();
    stream.on('error', ignore);
    // The last fulfilment ends the loop. The control packet that would follow says nothing that anyone needs.
    stream.once('outgoing_total_sent', () => {
      this.sending = false;
    });
    await new Promise<void>((resolve) => {
      this.once('_send_loop_finished', resolve);
      this.once('close', resolve);
      stream.setSendMax(amount.toString());
    });
  }
}
