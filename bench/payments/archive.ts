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

const DAYS = { year: 365, kept: 90 };
const A_DAY = 24 * 60 * 60;

/**
 * What a payment or a packet takes before and after it was archived, and for how long that kept others waiting. Then
 * what a year of one a second takes.
 */
export async function measureArchive(): Promise<Row[][]> {
  const taken: Taken[] = [];
  for (const app of [false, true]) {
    const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
    try {
      await (await LocalPayments.open(folder)).close();
      const empty = usedIn(folder);
      await (await LocalPayments.open(folder, PAYMENTS, app)).close();
      taken.push(
        await archived(app ? 'the same, by an app that was allowed to' : 'a payment within the node', folder, { empty, count: PAYMENTS }),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const line = await PeerLine.open();
  try {
    const empty = line.folders().map(usedIn);
    for (let sent = 0; sent < PACKETS; sent += AT_ONCE) await line.carry(1);
    await line.stop();
    for (const [side, what] of ['a packet sent to a peer', 'a packet from a peer'].entries()) {
      taken.push(await archived(what, line.folders()[side] ?? '', { empty: empty[side] ?? 0, count: PACKETS }));
    }
  } finally {
    await line.close();
  }
  return [taken.map(({ row }) => row), taken.map(aYear)];
}

/** Bytes of one payment or packet. */
interface Taken {
  row: Row;
  what: string;
  before: number;
  after: number;
  inArchive: number;
}

/** What one a second takes after a year: the newest ones are in the books, the details of the others in the archive. */
function aYear({ what, before, after, inArchive }: Taken): Row {
  const gigabytes = (days: number, bytes: number) => (days * A_DAY * bytes) / 1e9;
  const rest = DAYS.year - DAYS.kept;
  const parts = [gigabytes(DAYS.kept, before), gigabytes(rest, after), gigabytes(rest, inArchive)];
  const [newest, old, files] = parts.map((part) => `${part.toFixed(1)} GB`);
  const all = `${parts.reduce((sum, part) => sum + part, 0).toFixed(1)} GB`;
  return { 'a year of one a second': what, 'the last 90 days': newest ?? '', 'before that': old ?? '', 'in the archive': files ?? '', all };
}

/** The bytes that are used in the database of a node, which may be running. */
function usedIn(dataDir: string): number {
  const database = new Sqlite(join(dataDir, DATABASE_FILE), { readonly: true });
  try {
    const value = (name: string) => Number(database.pragma(name, { simple: true }));
    return (value('page_count') - value('freelist_count')) * value('page_size');
  } finally {
    database.close();
  }
}

/**
 * Archives everything in the books of a node that does not run.
 * @param empty what the database took without these payments or packets.
 */
async function archived(what: string, dataDir: string, { empty, count }: { empty: number; count: number }): Promise<Taken> {
  const file = join(dataDir, DATABASE_FILE);
  makeOlder(dataDir, AGE_MS);
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
  const each = { before: (before - empty) / count, after: (after - empty) / count, inArchive: files / count };
  const row = {
    what,
    'in the books': each.before.toFixed(0),
    'after archiving': each.after.toFixed(0),
    'in the archive': each.inArchive.toFixed(0),
    took: ms(took),
    'others waited, p99': ms(delay.percentile(99) / 1e6),
    most: ms(delay.max / 1e6),
  };
  return { what, row, ...each };
}
