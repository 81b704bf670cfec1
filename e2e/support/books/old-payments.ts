import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/** Makes everything that happened to payments this much older, in milliseconds. The node must not be running. */
export function makeOlder(dataDir: string, ageMs: number): void {
  const database = new Sqlite(join(dataDir, 'paydesk.db'));
  for (const table of ['incoming_payments', 'outgoing_payments']) {
    database.prepare(`update ${table} set created_at = created_at - ?, updated_at = updated_at - ?`).run(ageMs, ageMs);
  }
  for (const table of ['packets', 'sent_packets', 'received_packets']) {
    database.prepare(`update ${table} set created_at = created_at - ?`).run(ageMs);
  }
  database.prepare('update events set at = at - ?').run(ageMs);
  database.close();
}
