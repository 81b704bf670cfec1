import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import Sqlite from 'better-sqlite3';
import { makeOlder } from '../../e2e/support/books/old-payments.ts';
import { rulesKeeping } from '../../src-main/assembly/retention.ts';
import { Archive, archivedBytes } from '../../src-main/platform/archive/archive.ts';
import { archiveFolder } from '../../src-main/platform/archive/archive-file.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import { DATABASE_FILE } from '../../src-main/platform/data-folder/data-folder.ts';
import { SqliteDatabase } from '../../src-main/platform/database/sqlite.ts';
import { createLogger } from '../../src-main/platform/logs/logger.ts';
import { Retention } from '../../src-main/platform/retention/retention.ts';
import { ms, type Row } from '../support/report.ts';
import { LocalPayments } from './local-payments.ts';
import { PACKETS as AT_ONCE, PeerLine } from './peer-packets.ts';

const PAYMENTS = 20_000;
const PACKETS = 4_000;
const AGE_MS = 100 * 24 * 60 * 60_000;

/** What a payment or a packet takes before and after it was archived, and for how long that kept others waiting. */
export async function measureArchive(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
  const rows: Row[] = [];
  try {
    const payments = await LocalPayments.open(folder, PAYMENTS);
    await payments.close();
    rows.push(await archived('a payment within the node', folder, PAYMENTS));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const line = await PeerLine.open();
  try {
    for (let sent = 0; sent < PACKETS; sent += AT_ONCE) await line.carry(1);
    await line.stop();
    for (const [side, what] of ['a packet sent to a peer', 'a packet from a peer'].entries()) {
      rows.push(await archived(what, line.folders()[side] ?? '', PACKETS));
    }
  } finally {
    await line.close();
  }
  return rows;
}

/** Archives everything in the books of a node that does not run. */
async function archived(what: string, dataDir: string, count: number): Promise<Row> {
  const file = join(dataDir, DATABASE_FILE);
  makeOlder(dataDir, AGE_MS);
  const books = new Sqlite(file);
  // A payment that takes more packets is not archived.
  books.prepare('update incoming_payments set completed = 1').run();
  books.close();
  const database = new SqliteDatabase(file);
  const before = await database.usedBytes();
  const rules = rulesKeeping(new Archive({ database, folder: archiveFolder(dataDir) }), { keepDays: 30, archiveDays: 90 });
  const retention = new Retention({ database, clock: systemClock, log: createLogger('error'), rules });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const since = performance.now();
  await retention.runOnce();
  const took = performance.now() - since;
  delay.disable();
  const [after, files] = [await database.usedBytes(), await archivedBytes(database.read)];
  await database.close();
  return {
    what,
    'in the books': (before / count).toFixed(0),
    'after archiving': (after / count).toFixed(0),
    'in the archive': (files / count).toFixed(0),
    took: ms(took),
    'others waited, p99': ms(delay.percentile(99) / 1e6),
    most: ms(delay.max / 1e6),
  };
}
