import { createHmac, hash } from 'node:crypto';
import { serializeIlpPrepare } from 'ilp-packet';
import { IlpPacketType, Packet, StreamMoneyFrame } from 'ilp-protocol-stream/dist/src/packet.js';
import { MAX_STATED } from '../../src-shared/amounts.ts';
import type { Price } from './conversion.ts';
import { encryptFor, MONEY_STREAM } from './stream-answers.ts';
import { streamKeys } from './stream-keys.ts';

/** One packet of a payment, which only the receiver can fulfil. */
export interface MoneyPacket {
  readonly destinationAddress: string;
  /** 32 bytes, from the receiver's credentials. */
  readonly sharedSecret: Buffer;
  /** The packet's number among those of one attempt, 1 to 2^31−1. The answer repeats it. */
  readonly sequence: number;
  /** The amount that it carries, in smallest units of the sender's asset, 1 to 2^64−1. */
  readonly amount: bigint;
  /** The least that must arrive, in smallest units of the receiver's asset, 0 to 2^64−1. See {@link leastToArrive}. */
  readonly least: bigint;
  readonly expiresAt: Date;
}

/**
 * The whole amount is for one stream. So one share says it all, and the receiver does not hear how much was sent.
 * The sender names no address of its own: RFC 29 §4.3.1 leaves that to senders that want to receive.
 */
const FRAMES = [new StreamMoneyFrame(MONEY_STREAM, 1)];

/**
 * Makes the bytes of an ILP PREPARE with an encrypted STREAM packet (RFC 27, RFC 29 §5 and §6). Each one has another
 * condition, because the initialization vector in its data is random.
 * @throws when a field is out of its range, or cannot be written.
 */
export function moneyPacket({ destinationAddress, sharedSecret, sequence, amount, least, expiresAt }: MoneyPacket): Buffer {
  // `ilp-packet` would write a larger amount as 0.
  if (amount < 1n || amount > MAX_STATED) throw new RangeError('not the amount of a packet');
  const packet = new Packet(sequence, IlpPacketType.Prepare, least.toString(), FRAMES);
  const data = encryptFor(sharedSecret, packet._serialize());
  const fulfilment = createHmac('sha256', streamKeys(sharedSecret).fulfilment).update(data).digest();
  return serializeIlpPrepare({
    destination: destinationAddress,
    amount: amount.toString(),
    executionCondition: hash('sha256', fulfilment, 'buffer'),
    expiresAt,
    data,
  });
}

/**
 * Tells what `amount` must bring at `price`, or one for one without a price: rounded down, and never more than a STREAM
 * packet can ask for, which is 2^64−1.
 */
export function leastToArrive(amount: bigint, price: Price | undefined): bigint {
  const least = price ? (amount * price.receive) / price.debit : amount;
  return least > MAX_STATED ? MAX_STATED : least;
}
