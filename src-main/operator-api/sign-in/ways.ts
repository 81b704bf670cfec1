import { eq } from 'drizzle-orm';
import type { Reader, Tx } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { passkeys, passwords, recoveryCodes, signInAttempts, signInChallenges } from '../tables.ts';
import { forgetPassword } from './passwords.ts';
import { stepAt } from './totp.ts';

/** The seal of the copy, and that of the node from now on. */
export interface Reseal {
  from: Seal;
  to: Seal;
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

/**
 * Makes all passkeys and passwords of restored books wait for an owner: one that was removed after the copy was made
 * must not come back by itself. What was used up since cannot be known, so recovery codes end, and no code counts that
 * an app has shown before.
 */
export async function pauseWays(tx: Tx, { from, to }: Reseal, at: number): Promise<void> {
  await tx.delete(signInChallenges);
  await tx.delete(signInAttempts);
  await tx.delete(recoveryCodes);
  await tx.update(passkeys).set({ isPaused: true });
  for (const { personId, totpSecret } of await tx.select().from(passwords)) {
    const secret = from.open(totpSecret, personId);
    // A secret that does not open would never fit a code.
    if (secret === undefined) await forgetPassword(tx, personId);
    else
      await tx
        .update(passwords)
        .set({ totpSecret: to.seal(secret, personId), totpStep: stepAt(at) + 1, isPaused: true })
        .where(eq(passwords.personId, personId));
  }
}
