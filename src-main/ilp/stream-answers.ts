import { createCipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { type IlpReply, isFulfill } from 'ilp-packet';
import { FrameType, IlpPacketType, Packet } from 'ilp-protocol-stream/dist/src/packet.js';
import { streamKeys } from './stream-shims.ts';

/** How many bytes of a STREAM packet the initialization vector and the tag of AES-256-GCM take. */
export const ENCRYPTION_OVERHEAD = 28;

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
export async function answerOfReceiver(
  sequence: number | Packet['sequence'],
  reply: IlpReply,
  sharedSecret: Buffer,
): Promise<ReceiverAnswer | undefined> {
  const answer = await decrypt(reply.data, streamKeys(sharedSecret).encryption);
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
export async function amountAtReceiver(asked: Buffer, reply: IlpReply, sharedSecret: Buffer): Promise<bigint | undefined> {
  const question = await decrypt(asked, streamKeys(sharedSecret).encryption);
  return question && (await answerOfReceiver(question.sequence, reply, sharedSecret))?.arrived;
}

/**
 * The data of a REJECT that tells the sender how much arrived, in smallest units of the receiver's asset. It is the
 * answer to one packet (RFC 29 §5.2).
 * @param asked the data of the PREPARE that is answered.
 * @returns no data for a PREPARE that another secret has encrypted.
 */
export async function arrivalToReject(asked: Buffer, arrived: bigint, sharedSecret: Buffer): Promise<Buffer> {
  const question = await decrypt(asked, streamKeys(sharedSecret).encryption);
  if (question === undefined) return Buffer.alloc(0);
  return encryptFor(sharedSecret, new Packet(question.sequence, IlpPacketType.Reject, arrived.toString())._serialize());
}

/**
 * Encrypts what only the receiver is to read, as STREAM does: initialization vector, tag, ciphertext of AES-256-GCM
 * (RFC 29 §5.2).
 */
export function encryptFor(sharedSecret: Buffer, content: Buffer): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', streamKeys(sharedSecret).encryption, iv);
  const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
}

async function decrypt(data: Buffer, key: KeyObject): Promise<Packet | undefined> {
  if (data.length <= ENCRYPTION_OVERHEAD) return undefined;
  try {
    // The library declares a Buffer here and passes it unread to functions of Node that take both.
    return await Packet.decryptAndDeserialize(key as unknown as Buffer, data);
  } catch {
    return undefined;
  }
}

const toBigint = (value: Packet['prepareAmount']): bigint => BigInt(value.toString());
