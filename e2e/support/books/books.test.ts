import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rulesKeeping } from '../../../src-main/assembly/retention.ts';
import { TwoWorlds } from '../../../src-main/payments/testing/two-worlds.ts';
import { Archive } from '../../../src-main/platform/archive/archive.ts';
import { sqliteOf } from '../../../src-main/platform/database/testing/sqlite-test.ts';
import { createLogger } from '../../../src-main/platform/logs/logger.ts';
import { Retention } from '../../../src-main/platform/retention/retention.ts';
import { contradictions, readBooks } from './books.ts';

const DAY_MS = 24 * 60 * 60_000;

let folder: string;
let world: TwoWorlds;
/** The time in the books before and after their details were archived. */
let then: number;
let now: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-planted-'));
  world = await TwoWorlds.open({ maxPacketAmount: 300n });
  const shop = await world.node.account('shop', 0n);
  await world.finished((await world.pay(world.elsewhere.invoice(700n), 700n)).id);
  for (const amount of [700n, 100n]) {
    const made = await world.node.incomingPayments.create({
      walletAddress: shop,
      client: 'app',
      incomingAmount: { value: amount, assetCode: 'USD', assetScale: 2 },
    });
    if (!made.ok) throw new Error(made.error);
    await world.finished((await world.pay(world.node.urls.incomingPayment(made.value.id), amount)).id);
  }
  // One event more, because the newest of all stays.
  await world.node.incomingPayments.create({ walletAddress: shop, client: null });
  then = world.clock.now();
  copyOf('new');
  world.clock.advance(100 * DAY_MS);
  now = world.clock.now();
  const { database } = world.node;
  const rules = rulesKeeping(new Archive({ database, folder }), { keepDays: 30, archiveDays: 90 });
  await new Retention({ database, clock: world.clock, log: createLogger('silent'), rules, pause: async () => undefined }).runOnce();
  copyOf('archived');
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Keeps the books as they are now under a name. */
function copyOf(name: string): void {
  const { connection } = sqliteOf(world.node);
  connection.pragma('wal_checkpoint(truncate)');
  copyFileSync(connection.name, join(folder, `${name}.db`));
}

/** Changes a copy of the books behind the node's back. @returns what is wrong in it then. */
function planted(name: string, at: number, ...statements: string[]): string[] {
  const dataDir = mkdtempSync(join(folder, 'copy-'));
  const file = join(dataDir, 'paydesk.db');
  copyFileSync(join(folder, `${name}.db`), file);
  const database = new Sqlite(file);
  let changed = 0;
  for (const statement of statements) changed += database.prepare(statement).run().changes;
  database.close();
  expect(changed > 0 || statements.length === 0, 'the statements must change something').toBe(true);
  return readBooks({ dataDir }, (books) => contradictions(books, at));
}

const HERE = 'receiver_id is not null';

describe('the books of payments whose details are in the archive', () => {
  it('have no details any more, and no contradictions', () => {
    expect(planted('archived', now)).toEqual([]);
    for (const table of ['packets', 'sent_packets'])
      expect(sqliteOf(world.node).connection.prepare(`select * from ${table}`).all()).toEqual([]);
  });

  it.each([
    [
      'says that it delivered more',
      `update outgoing_payments set delivered = delivered + 1, receive_amount = receive_amount + 1 where ${HERE}`,
    ],
    ['says that it delivered less', `update outgoing_payments set delivered = delivered - 1 where ${HERE}`],
    ['to another node says that it delivered more', 'update outgoing_payments set delivered = delivered + 1 where receiver_id is null'],
    ['has lost the sum of its packets', 'delete from archived_packets'],
    ['has another sum of packets', 'update archived_packets set delivered = delivered + 5'],
    ['says that it cost less', `update outgoing_payments set sent = sent - 1, debit_amount = debit_amount - 1 where ${HERE}`],
    [
      'received more than was brought to it',
      'update incoming_payments set received = received + 1, incoming_amount = null where received > 0',
    ],
    ['received less than was brought to it', 'update incoming_payments set received = received - 1 where received > 0'],
    [
      'is paid to another request than its transfer',
      `update outgoing_payments set receiver_id = (select max(id) from incoming_payments) where ${HERE}`,
    ],
    ['is under way again', "update outgoing_payments set state = 'retrying'"],
    [
      'ended twice',
      `insert into events (type, subject, body, at) select 'outgoing_payment.completed', id, '{}', updated_at from outgoing_payments, (select 1 union all select 2)`,
    ],
  ])('contradict a payment that %s', (_, statement) => {
    expect(planted('archived', now, statement)).not.toEqual([]);
  });

  it('contradict details that are gone before their time', () => {
    expect(planted('archived', then)).toContain('what happened to a payment is gone before its time');
  });
});

describe('the books of new payments', () => {
  it('have no contradictions', () => {
    expect(planted('new', then)).toEqual([]);
  });

  it.each([
    ['a packet is gone', 'delete from packets where condition = (select max(condition) from packets)'],
    ['all packets are gone', 'delete from packets'],
    ['a packet to another node is gone', 'delete from sent_packets where condition = (select max(condition) from sent_packets)'],
    ['a packet went to another payment', 'update packets set incoming_payment_id = (select max(id) from incoming_payments)'],
    ['an ending is gone', "delete from events where type = 'outgoing_payment.completed'"],
    ['the events of a payment are gone', "delete from events where substr(type, 1, 9) = 'outgoing_'"],
  ])('contradict it when %s', (_, statement) => {
    expect(planted('new', then, statement)).not.toEqual([]);
  });

  it('ask for packets within this node for a day only', () => {
    expect(planted('new', then + 2 * DAY_MS, 'delete from packets')).toEqual([]);
  });
});
