import { hasClientsUnder, moveGrants } from '../../access/clients/own-clients.ts';
import { movePayments } from '../../payments/own-clients.ts';
import type { Database } from '../../platform/database/database.ts';
import type { PublicUrls } from '../../platform/public-address/public-urls.ts';

/**
 * Moves the grants and payments of clients that are accounts of this node from former URLs to the current one. The node
 * knows such a client by its URL, and the URL changes with the public origin. Call it before the node answers requests.
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
