import { hasClientsUnder, moveGrants } from '../access/clients/own-clients.ts';
import { movePayments } from '../payments/own-clients.ts';
import type { Database } from '../platform/database/database.ts';
import type { PublicUrls } from '../platform/public-address/public-urls.ts';

/**
 * Own accounts that are clients of this node are known by their URL, which changes with the public origin. What they
 * had under former ones becomes theirs under the current one, so that they find it again. To be done before anything is
 * answered.
 */
export async function adoptOwnClients(database: Database, urls: PublicUrls): Promise<void> {
  for (const origin of urls.origins) {
    if (origin === urls.origin || !(await hasClientsUnder(database.read, origin))) continue;
    await database.write(async (tx) => {
      await moveGrants(tx, origin, urls.origin);
      await movePayments(tx, origin, urls.origin);
    });
  }
}
