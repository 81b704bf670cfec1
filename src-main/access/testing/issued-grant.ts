import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/database.ts';
import { accessTokens, grants } from '../tables.ts';

/**
 * Stores a grant whose client has its token, for tests of payments that are made with a grant. It stores no limits: the
 * caller gives them with each payment.
 * @param at when the grant was issued, in milliseconds since the Unix epoch.
 * @returns the grant's id.
 */
export async function insertIssuedGrant(database: Pick<Database, 'write'>, at: number): Promise<string> {
  const id = randomUUID();
  const grant: typeof grants.$inferInsert = {
    ...{ id, state: 'issued', clientKind: 'wallet-address', clientId: 'https://app.example/', requested: [], interactive: true },
    ...{ endpoint: 'https://pay.example/auth', continuationId: randomUUID(), continuationHash: id, wrongCodes: 0, createdAt: at },
  };
  const token: typeof accessTokens.$inferInsert = {
    ...{ id: randomUUID(), grantId: id, tokenHash: id, state: 'active', awaitsRotation: false },
    ...{ createdAt: at, expiresAt: Number.MAX_SAFE_INTEGER },
  };
  await database.write(async (tx) => {
    await tx.insert(grants).values(grant);
    await tx.insert(accessTokens).values(token);
  });
  return id;
}
