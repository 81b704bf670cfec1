import { and, eq } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import { newSecret } from '../../platform/ids.ts';
import { appendGrantEvent, type Grant } from '../grant-rows.ts';
import { hashSecret } from '../secrets.ts';
import { accessTokens, grants, isActive, seenSignatures, waits } from '../tables.ts';

/**
 * Freezes access after the books were put back from a copy. The copy does not know what was revoked or spent since:
 * every token ends, waiting grant requests lapse, and grants are frozen until the operator allows them again
 * (decisions.md#D-43). Part of a write.
 */
export async function freezeAccess(tx: Tx, at: number): Promise<void> {
  // A client whose grant is allowed again gets its next token with its key. No earlier token counts.
  await tx.update(accessTokens).set({ awaitsRotation: true, sealed: null }).where(isActive);
  await tx.delete(seenSignatures);
  for (const grant of await tx.select().from(grants).where(waits)) {
    await tx.update(grants).set({ state: 'lapsed' }).where(eq(grants.id, grant.id));
    await appendGrantEvent(tx, 'grant.lapsed', grant, {}, at);
  }
  for (const grant of await tx.select().from(grants).where(eq(grants.state, 'issued'))) {
    await tx
      .update(grants)
      .set({ state: 'frozen', continuationHash: hashSecret(newSecret()) })
      .where(and(eq(grants.id, grant.id), eq(grants.state, 'issued')));
    await appendGrantEvent(tx, 'grant.frozen', grant, {}, at);
  }
}

/** The operator allows a frozen grant again. It is undefined when the grant is not frozen. */
export async function allowAgain(tx: Tx, id: string, at: number): Promise<Grant | undefined> {
  const [grant] = await tx
    .update(grants)
    .set({ state: 'issued' })
    .where(and(eq(grants.id, id), eq(grants.state, 'frozen')))
    .returning();
  if (grant !== undefined) await appendGrantEvent(tx, 'grant.allowed_again', grant, { by: 'operator' }, at);
  return grant;
}
