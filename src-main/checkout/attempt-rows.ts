import type { SQL } from 'drizzle-orm';
import type { AttemptFailure } from '../../src-shared/attempt-failures.ts';
import { z } from '../../src-shared/zod.ts';
import { appendEvent } from '../journal/events.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Seal } from '../platform/secrets/seal.ts';
import { GrantSecrets, openGrantSecrets, sealGrantSecrets } from '../remote-wallets/grant-secrets.ts';
import { checkouts } from './tables.ts';

export type Attempt = typeof checkouts.$inferSelect;

const wholeNumber = z.string().regex(/^\d{1,20}$/);
/**
 * What the node knows of the visitor's wallet and its grant. It is sealed: anybody who has it could act in the
 * visitor's place.
 */
const Secrets = GrantSecrets.extend({
  quoteId: z.string(),
  /** What the visitor's wallet takes, in its own asset. It is the limit of the grant. */
  debit: wholeNumber,
  quoteExpiresAt: z.number().nullable(),
  /** It is set once the node has told the wallet to pay and the answer was lost: the wallet may have paid. */
  mayHavePaid: z.boolean().optional(),
});
export type AttemptSecrets = z.infer<typeof Secrets>;

export const sealSecrets: (seal: Seal, id: string, secrets: AttemptSecrets) => string = sealGrantSecrets;

/** @returns undefined when the secrets were sealed with a key that this node no longer has. */
export const openSecrets = (seal: Seal, attempt: Attempt): AttemptSecrets | undefined => openGrantSecrets(Secrets, seal, attempt);

/**
 * Ends attempts without a payment, and tells the console of each, so that an open request shows why nobody paid. Part
 * of a write.
 * @param which the attempts. None of them has ended.
 * @param reason why they failed, or an expression of it.
 */
export async function failAttempts(
  tx: Tx,
  which: SQL | undefined,
  reason: AttemptFailure | SQL<AttemptFailure>,
  at: number,
): Promise<void> {
  const failed = await tx
    .update(checkouts)
    .set({ state: 'failed', reason, sealed: null, dueAt: null, claimedUntil: null, updatedAt: at })
    .where(which)
    .returning({ id: checkouts.id });
  for (const { id } of failed) await appendEvent(tx, { type: 'attempt.failed', subject: id, at });
}
