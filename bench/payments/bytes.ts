import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Row } from '../support/report.ts';
import { LocalPayments } from './local-payments.ts';
import { PACKETS as AT_ONCE, PeerLine } from './peer-packets.ts';

const PAYMENTS = 20_000;
const PACKETS = 4_000;

/** The bytes of every table and index, by name. The pages that are not in use yet count as used. */
function bytesOf(dataDir: string): Map<string, number> {
  const database = new Sqlite(join(dataDir, 'paydesk.db'), { readonly: true });
  try {
    const rows = database
      .prepare<[], { name: string; bytes: number }>('select name, sum(pgsize) as bytes from dbstat where aggregate = true group by name')
      .all();
    return new Map(rows.map(({ name, bytes }) => [name, bytes]));
  } finally {
    database.close();
  }
}

/** What each table and index has grown by, for one of `count`, the largest first. */
function growth(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>, count: number, what: string): Row[] {
  const grown = [...after].map(([name, bytes]) => ({ name, each: (bytes - (before.get(name) ?? 0)) / count }));
  const told = grown.filter(({ each }) => each >= 1).toSorted((a, b) => b.each - a.each);
  const all = grown.reduce((sum, { each }) => sum + each, 0);
  return [{ [what]: 'all', bytes: all.toFixed(0) }, ...told.map(({ name, each }) => ({ [what]: name, bytes: each.toFixed(0) }))];
}

/** How many bytes a payment within the node leaves, and a packet at either end of a connection of two nodes. */
export async function measureBytes(): Promise<Row[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
  try {
    const payments = await LocalPayments.open(folder, PAYMENTS);
    await payments.close();
    return [growth(new Map(), bytesOf(folder), PAYMENTS, 'a payment within the node'), ...(await measurePacketBytes())];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measurePacketBytes(): Promise<Row[][]> {
  const line = await PeerLine.open();
  try {
    await line.carry(1);
    const before = line.folders().map(bytesOf);
    for (let sent = 0; sent < PACKETS; sent += AT_ONCE) await line.carry(1);
    const after = line.folders().map(bytesOf);
    return ['a packet sent to a peer', 'a packet from a peer'].map((what, side) =>
      growth(before[side] ?? new Map(), after[side] ?? new Map(), PACKETS, what),
    );
  } finally {
    await line.close();
  }
}
