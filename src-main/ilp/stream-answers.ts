import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type IlpReply, isFulfill } from 'ilp-packet';
import { FrameType, IlpPacketType, Packet } from 'ilp-protocol-stream/dist/src/packet.js';
import { streamKeys } from './stream-keys.ts';

/** How many bytes the initialization vector and the tag of AES-256-GCM have (RFC 29 §5.1). */
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** How many bytes come before the ciphertext of a STREAM packet. */
const ENCRYPTION_OVERHEAD = IV_BYTES + TAG_BYTES;

/** The stream on which the node sends money. It is the first that a client may open (RFC 29 §4.4.1). */
export const MONEY_STREAM = 1;

/** What a receiver itself says in the encrypted data of its answer, so that nobody on the way can have written it. */
export interface ReceiverAnswer {
  /** How much arrived, or would have arrived, in smallest units of the receiver's asset, unsigned 64-bit. */
  readonly arrived: bigint;
  /** Whether the receiver takes nothing more: it closes the connection, or the stream with the money. */
  readonly closes: boolean;
  /**
   * How much the stream with the money still takes, in smallest units of the receiver's asset. It is undefined when the
   * receiver says nothing of it.
   */
  readonly takes: bigint | undefined;
}

/**
 * Reads a receiver's answer (RFC 29 §5.2).
 * @param sequence the number of the packet that is answered.
 * @returns undefined when the answer cannot be read, is the answer to another packet, or is of another kind.
 */
export function answerOfReceiver(sequence: number | Packet['sequence'], reply: IlpReply, sharedSecret: Buffer): ReceiverAnswer | undefined {
  const answer = decryptPacket(reply.data, sharedSecret);
  const kind = isFulfill(reply) ? IlpPacketType.Fulfill : IlpPacketType.Reject;
  if (answer?.ilpPacketType !== kind || !answer.sequence.equals(sequence)) return undefined;
  let closes = false;
  let takes: bigint | undefined;
  for (const frame of answer.frames) {
    if (frame.type === FrameType.ConnectionClose) closes = true;
    else if (frame.type === FrameType.StreamClose) closes ||= frame.streamId.equals(MONEY_STREAM);
    else if (frame.type === FrameType.StreamMaxMoney && frame.streamId.equals(MONEY_STREAM)) {
      const left = toBigint(frame.receiveMax) - toBigint(frame.totalReceived);
      takes = left > 0n ? left : 0n;
    }
  }
  return { arrived: toBigint(answer.prepareAmount), closes, takes };
}

/**
 * Tells how much arrived, or would have arrived, in smallest units of the receiver's asset.
 * @param asked the data of the PREPARE that is answered.
 * @returns undefined where {@link answerOfReceiver} does.
 */
export function amountAtReceiver(asked: Buffer, reply: IlpReply, sharedSecret: Buffer): bigint | undefined {
  const question = decryptPacket(asked, sharedSecret);
  return question && answerOfReceiver(question.sequence, reply, sharedSecret)?.arrived;
}

/**
 * The data of a REJECT that tells the sender how much arrived, in smallest units of the receiver's asset. It is the
 * answer to one packet (RFC 29 §5.2).
 * @param asked the data of the PREPARE that is answered.
 * @returns no data for a PREPARE that another secret has encrypted.
 */
export function arrivalToReject(asked: Buffer, arrived: bigint, sharedSecret: Buffer): Buffer {
  const question = decryptPacket(asked, sharedSecret);
  if (question === undefined) return Buffer.alloc(0);
  return encryptFor(sharedSecret, new Packet(question.sequence, IlpPacketType.Reject, arrived.toString())._serialize());
}

/**
 * Encrypts what only the receiver is to read, as STREAM does: initialization vector, tag, ciphertext of AES-256-GCM
 * (RFC 29 §5.2).
 */
export function encryptFor(sharedSecret: Buffer, content: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', streamKeys(sharedSecret).encryption, iv);
  const encrypted = [cipher.update(content), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...encrypted]);
}

/**
 * Decrypts and reads a STREAM packet (RFC 29 §5.1 and §5.2).
 * @param data the data of a PREPARE, FULFILL or REJECT.
 * @returns undefined when another secret has encrypted it, or it cannot be read.
 */
export function decryptPacket(data: Buffer, sharedSecret: Buffer): Packet | undefined {
  // Nobody can have encrypted so short a text. Node would accept a cut tag, with a deprecation warning.
  if (data.length <= ENCRYPTION_OVERHEAD) return undefined;
  try {
    const iv = data.subarray(0, IV_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', streamKeys(sharedSecret).encryption, iv, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(data.subarray(IV_BYTES, ENCRYPTION_OVERHEAD));
    const content = decipher.update(data.subarray(ENCRYPTION_OVERHEAD));
    decipher.final();
    return Packet._deserializeUnencrypted(content);
  } catch {
    return undefined;
  }
}

/** Reads an integer as the library keeps it: two halves, as signed integers of 32 bits. */
export const toBigint = ({ high, low }: Packet['sequence']): bigint => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
