import { eq } from 'drizzle-orm';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { passkeys, passwords, recoveryCodes } from '../tables.ts';

/** Forgets the password of a person with what belongs to it. @returns false when they have none. */
export async function forgetPassword(tx: Tx, personId: string): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId));
  const gone = await tx.delete(passwords).where(eq(passwords.personId, personId)).returning({ personId: passwords.personId });
  return gone.length > 0;
}

/** Forgets how a person signs in. They were removed. */
export async function forgetWays(tx: Tx, personId: string): Promise<void> {
  await tx.delete(passkeys).where(eq(passkeys.personId, personId));
  await forgetPassword(tx, personId);
}

/** The persons whose passkeys or password wait for an owner. */
export async function pausedPeople(reader: Reader): Promise<ReadonlySet<string>> {
  const rows = await Promise.all([
    reader.select({ id: passkeys.personId }).from(passkeys).where(eq(passkeys.isPaused, true)),
    reader.select({ id: passwords.personId }).from(passwords).where(eq(passwords.isPaused, true)),
  ]);
  return new Set(rows.flat().map(({ id }) => id));
}

export async function allowWaysAgain(tx: Tx, personId: string): Promise<void> {
  await tx.update(passkeys).set({ isPaused: false }).where(eq(passkeys.personId, personId));
  await tx.update(passwords).set({ isPaused: false }).where(eq(passwords.personId, personId));
}
