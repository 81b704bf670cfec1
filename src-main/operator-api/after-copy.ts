import type { Tx } from '../platform/database/database.ts';
import { lapseAll } from './second-person/waiting-acts.ts';
import { pauseWays, type Reseal } from './sign-in/after-copy.ts';
import { apiKeys, operatorLinks, operatorSessions, tills } from './tables.ts';

/**
 * Ends every way in that the copy knows, as part of a write: sessions and links for good, because the copy does not
 * know which of them were ended since. Passkeys, passwords and API keys wait until an owner allows them again. People
 * stay, and so does the token for scripts, which belongs to the data folder. Tills
 * stay with their names, and each is paired anew.
 * @param at in milliseconds since the Unix epoch.
 */
export async function endWaysIn(tx: Tx, reseal: Reseal, at: number): Promise<void> {
  await tx.delete(operatorSessions);
  await tx.delete(operatorLinks);
  await lapseAll(tx);
  await pauseWays(tx, reseal, at);
  await tx.update(tills).set({ secretHash: null, pageHash: null, pairingHash: null, pairingEndsAt: null });
  await tx.update(apiKeys).set({ isPaused: true, formerEndsAt: null, formerHash: null });
}
