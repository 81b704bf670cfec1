import { createHmac, hash } from 'node:crypto';
import { type IlpPrepare, serializeIlpFulfill, serializeIlpReject } from 'ilp-packet';
import { IlpPacketType, Packet } from 'ilp-protocol-stream/dist/src/packet.js';
import { encryptFor } from '../stream-answers.ts';
import { streamKeys } from '../stream-keys.ts';

/**
 * Answers a packet as a receiver that follows no rule. It fulfils whatever it can, and says of probes and of money
 * alike that it got what it likes, in the form that only the receiver can write.
 * @param says how much it says that it got, unsigned 64-bit. Without an amount the answer has no data.
 * @returns the bytes of a FULFILL, or of an F99 for a probe, which nobody can fulfil.
 */
export async function lyingAnswer(
  sharedSecret: Buffer,
  prepare: IlpPrepare,
  says: (isProbe: boolean) => bigint | undefined,
): Promise<{ isProbe: boolean; reply: Buffer }> {
  const { encryption, fulfilment } = streamKeys(sharedSecret);
  const fulfillment = createHmac('sha256', fulfilment).update(prepare.data).digest();
  const isProbe = !hash('sha256', fulfillment, 'buffer').equals(prepare.executionCondition);
  const { sequence } = await Packet.decryptAndDeserialize(encryption as unknown as Buffer, prepare.data);
  const amount = says(isProbe);
  const kind = isProbe ? IlpPacketType.Reject : IlpPacketType.Fulfill;
  const data =
    amount === undefined ? Buffer.alloc(0) : encryptFor(sharedSecret, new Packet(sequence, kind, amount.toString())._serialize());
  const reply = isProbe
    ? serializeIlpReject({ code: 'F99', triggeredBy: '', message: '', data })
    : serializeIlpFulfill({ fulfillment, data });
  return { isProbe, reply };
}
