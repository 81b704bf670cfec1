import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { hashSecret } from '../../access/secrets.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { base32 } from '../../platform/secrets/base32.ts';
import { recoveryCodes } from '../tables.ts';

/** How many recovery codes a person gets. */
const RECOVERY_CODES = 10;
/** 80 bits: nobody finds a code from its hash. */
const CODE_BYTES = 10;

/** Makes the recovery codes of a person, such as `K4QZ-3JTA-WX2M-6RUV`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => (base32(randomBytes(CODE_BYTES)).match(/.{4}/g) ?? []).join('-'));

const hashOf = (personId: string, code: string): string => hashSecret(`${personId} ${code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')}`);

/** Whether a text has the form of a recovery code, and not of a code of six digits. */
export const isRecoveryCode = (text: string): boolean => text.toUpperCase().replaceAll(/[^A-Z2-7]/g, '').length === 16;

/** Replaces the recovery codes of a person. */
export async function storeRecoveryCodes(tx: Tx, personId: string, codes: readonly string[]): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId));
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ codeHash: hashOf(personId, code), personId })));
}

/** Uses a code up. @returns false when it is none of the person's, or was used before. */
export async function useRecoveryCode(tx: Tx, personId: string, code: string): Promise<boolean> {
  const used = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.codeHash, hashOf(personId, code)), eq(recoveryCodes.personId, personId)))
    .returning({ personId: recoveryCodes.personId });
  return used.length > 0;
}

/** How many codes a person has left. */
export const recoveryCodesLeft = async (reader: Reader, personId: string): Promise<number> =>
  (await reader.select({ personId: recoveryCodes.personId }).from(recoveryCodes).where(eq(recoveryCodes.personId, personId))).length;
