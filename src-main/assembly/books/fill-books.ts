import { numberEarlierTransfers } from '../../ledger/audit/pieces.ts';
import { countEarlierQuarters } from '../../ledger/days.ts';
import { fillSearchTexts } from '../../payments/search-text.ts';
import type { Database } from '../../platform/database/database.ts';

/** Adds what an earlier version did not keep. No other process may do so at the same time. */
export async function fillBooks(database: Database): Promise<void> {
  await fillSearchTexts(database);
  await countEarlierQuarters(database);
  await numberEarlierTransfers(database);
}
