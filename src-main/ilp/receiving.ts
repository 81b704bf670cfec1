import { hash } from 'node:crypto';
import { deserializeIlpPrepare, type IlpFulfill, type IlpPrepare, isCanonicalIlpRejectCode, serializeIlpFulfill } from 'ilp-packet';
import { ok, type Result, refuse } from '../platform/result.ts';
import { MAX_DATA_BYTES, type Rejected, reject } from './packets.ts';
import type { OpenedReceiver } from './stream-credentials.ts';
import type { PacketReceivers } from './stream-receivers.ts';

/**
 * Reads a PREPARE.
 * @returns undefined for bytes that are not one PREPARE with a valid destination, expiry and length of data (RFC 27).
 */
export function parsePrepare(bytes: Buffer): IlpPrepare | undefined {
  try {
    const prepare = deserializeIlpPrepare(bytes);
    return prepare.data.length > MAX_DATA_BYTES ? undefined : prepare;
  } catch {
    return undefined;
  }
}

/**
 * What a receiver is asked to fulfil: a packet, and how much of it arrives, in smallest units of the receiver's asset.
 */
interface Arrival {
  readonly nodeAddress: string;
  readonly receivers: PacketReceivers;
  readonly receiver: OpenedReceiver;
  readonly prepare: IlpPrepare;
  readonly amount: bigint;
}

/**
 * Lets the receiver answer, and checks its fulfilment. No money moves here.
 * @returns the bytes of the FULFILL, complete, or the REJECT.
 */
export async function receiveChecked({ nodeAddress, receivers, receiver, prepare, amount }: Arrival): Promise<Result<Buffer, Rejected>> {
  let fulfil: IlpFulfill;
  try {
    fulfil = await receivers.receive(receiver, { ...prepare, amount });
  } catch (error) {
    return refuse(rejectBy(nodeAddress, error));
  }
  if (!hash('sha256', fulfil.fulfillment, 'buffer').equals(prepare.executionCondition))
    return refuse(reject(nodeAddress, 'F05', 'wrong fulfilment'));
  return ok(serializeIlpFulfill(fulfil));
}

/** Passes on what STREAM rejected, with the encrypted frames for the sender that an F99 carries. */
function rejectBy(nodeAddress: string, error: unknown): Rejected {
  const code = error instanceof Error && 'ilpErrorCode' in error ? error.ilpErrorCode : undefined;
  const data = error instanceof Error && 'ilpErrorData' in error ? error.ilpErrorData : undefined;
  return reject(
    nodeAddress,
    isCanonicalIlpRejectCode(code) ? code : 'F00',
    'rejected by the receiver',
    Buffer.isBuffer(data) ? data : undefined,
  );
}
