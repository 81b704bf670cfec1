import { eq } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { forgetPassword } from '../people/ways.ts';
import {
  browserPeople,
  knownBrowsers,
  passkeys,
  passwords,
  pins,
  pinTries,
  recoveryCodes,
  signInAttempts,
  signInChallenges,
} from '../tables.ts';
import { stepAt } from './totp.ts';

/** The seal of the copy, and that of the node from now on. */
export interface Reseal {
  from: Seal;
  to: Seal;
}

/**
 * Makes all passkeys and passwords of restored books wait for an owner: one that was removed after the copy was made
 * must not come back by itself. What was used up since cannot be known, so recovery codes end, and no code counts that
 * an app has shown before. PINs and the browsers in which they worked do not come back (decisions.md#D-287).
 */
export async function pauseWays(tx: Tx, { from, to }: Reseal, at: number): Promise<void> {
  await tx.delete(signInChallenges);
  await tx.delete(signInAttempts);
  await tx.delete(recoveryCodes);
  for (const forgotten of [pins, pinTries, browserPeople, knownBrowsers]) await tx.delete(forgotten);
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
