import { createCipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { type IlpReply, isFulfill } from 'ilp-packet';
import { IlpPacketType, Packet } from 'ilp-protocol-stream/dist/src/packet.js';
import { streamKeys } from './stream-shims.ts';

/** How many bytes of a STREAM packet the initialization vector and the tag of AES-256-GCM take. */
export const ENCRYPTION_OVERHEAD = 28;

/**
 * Tells how much arrived, or would have arrived, in smallest units of the receiver's asset. The receiver itself says it
 * in the encrypted data of its answer (RFC 29 §5.2), so nobody on the way can have written it.
 * @param asked the data of the PREPARE that is answered.
 * @returns undefined when the answer cannot be read, is the answer to another packet, or is of another kind.
 */
export async function amountAtReceiver(asked: Buffer, reply: IlpReply, sharedSecret: Buffer): Promise<bigint | undefined> {
  const key = streamKeys(sharedSecret).encryption;
  const [question, answer] = [await decrypt(asked, key), await decrypt(reply.data, key)];
  const kind = isFulfill(reply) ? IlpPacketType.Fulfill : IlpPacketType.Reject;
  if (question === undefined || answer?.ilpPacketType !== kind || !answer.sequence.equals(question.sequence)) return undefined;
  return BigInt(answer.prepareAmount.toString());
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
