import { eq } from 'drizzle-orm';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { passkeys, passwords, pins, pinTries, recoveryCodes } from '../tables.ts';
import { forgetPersonEverywhere } from './known-browsers.ts';

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
  await forgetPin(tx, personId);
  await tx.delete(pinTries).where(eq(pinTries.personId, personId));
  await forgetPersonEverywhere(tx, personId);
}

/**
 * Forgets the PIN of a person. What was tried for it stays counted, so that another PIN gives no tries.
 * @returns false when they have none.
 */
export async function forgetPin(tx: Tx, personId: string): Promise<boolean> {
  return (await tx.delete(pins).where(eq(pins.personId, personId)).returning({ personId: pins.personId })).length > 0;
}

/** The persons who have a PIN. */
export async function peopleWithPin(reader: Reader): Promise<ReadonlySet<string>> {
  return new Set((await reader.select({ id: pins.personId }).from(pins)).map(({ id }) => id));
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
