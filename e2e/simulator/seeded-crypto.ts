import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Removes chance from this process. Until the caller calls the returned function, ids, nonces and initialization
 * vectors come from `random`. Only a simulator that repeats itself may use it.
 * @param random gives numbers in [0, 1).
 */
export function seedCrypto(random: () => number): () => void {
  const { randomBytes, randomUUID } = crypto;
  const bytes = (size: number): Buffer => {
    const buffer = Buffer.allocUnsafe(size);
    for (let at = 0; at < size; at += 1) buffer[at] = Math.floor(random() * 256);
    return buffer;
  };
  const seededBytes = (size: number, done?: (error: Error | null, bytes: Buffer) => void): Buffer | undefined => {
    if (done === undefined) return bytes(size);
    setImmediate(() => done(null, bytes(size)));
    return undefined;
  };
  const seededUuid = (): string => {
    const hex = bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  Object.assign(crypto, { randomBytes: seededBytes, randomUUID: seededUuid });
  syncBuiltinESMExports();
  return () => {
    Object.assign(crypto, { randomBytes, randomUUID });
    syncBuiltinESMExports();
  };
}
