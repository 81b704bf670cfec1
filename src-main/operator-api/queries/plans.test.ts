import { randomUUID } from 'node:crypto';
import { afterEach, expect } from 'vitest';
import { peerAnswerRule } from '../../peers/retention.ts';
import { builder } from '../../platform/database/database.ts';
import { onSqlite } from '../../platform/database/testing/on-sqlite.ts';
import { sqliteOf } from '../../platform/database/testing/sqlite-test.ts';
import { type Desk, openDesk } from '../testing/desk.ts';

/**
 * What stays small: tables with one row, the operator's browsers, what there is once for an asset, and once for a pair
 * of them.
 */
const SMALL =
  /"(activity_head|backup_schedule|operator_sessions|operator_links|people|passkeys|passwords|recovery_codes|pins|pin_tries|browser_people|known_browsers|shop_settings|rates|followed_rates|exchange_fees)"|"kind" = 'exchange'/;

let desk: Desk | undefined;
const asked = new Map<string, unknown[]>();
afterEach(() => {
  asked.clear();
  return desk?.close();
});

/** Opens a desk whose questions are noted. */
function openNotedDesk(): Desk {
  const opened = openDesk();
  desk = opened;
  const { connection } = sqliteOf(opened.test);
  const read = builder(async (sql, params, method) => {
    asked.set(sql, params);
    const statement = connection.prepare(sql).raw(true);
    return { rows: method === 'get' ? (statement.get(params) as unknown[]) : statement.all(params) };
  });
  // Without the thread for reads both readers are one; what is read aside is not looked at here.
  const { readAside } = opened.database;
  Object.assign(opened.database, { read, readAside });
  return opened;
}

/** What is wrong with the plan of a query of the main thread. */
function faultsOf({ test }: Desk, sql: string, params: unknown[]): string[] {
  if (SMALL.test(sql) || sql.endsWith('where false')) return [];
  const plan = sqliteOf(test).connection.prepare(`explain query plan ${sql}`).all(params) as { detail: string }[];
  return plan.flatMap(({ detail }) => {
    // The index of payments that are due holds only those under way.
    const readsAll = detail.startsWith('SCAN') && !(detail.includes('INDEX') && sql.includes('limit')) && !detail.endsWith('_due');
    // The last term is the id. Only rows of the same millisecond are sorted by it.
    const sorts = detail.includes('TEMP B-TREE') && !detail.includes('FOR LAST TERM OF ORDER BY');
    return readsAll || sorts ? [`${detail}: ${sql}`] : [];
  });
}

onSqlite('PostgreSQL plans by statistics, which tables of few rows do not have')(
  'no question of the console reads a whole table on the main thread, or sorts there',
  async () => {
    const desk = openNotedDesk();
    const { calls } = desk.api;
    const { id } = await desk.account('shop', 500n);
    await calls.requests.create({ requestId: randomUUID(), accountId: id, amount: 100n });
    await calls.accounts.deposit({ id, requestId: randomUUID(), amount: 5n, note: 'Cash' });
    asked.clear();
    await calls.node.info();
    await calls.node.overview();
    const { items } = await calls.accounts.list({});
    await calls.accounts.list({ order: 'newest', cursor: `${id} ${Date.now()}` });
    await calls.accounts.list({ text: 'shop' });
    await calls.accounts.get({ id: items[0]?.id ?? '' });
    await calls.accounts.movements({ id });
    for (const filter of [{}, { offset: 7 }, { text: 'bread' }, { minAmount: '1' }, { unpaid: true }, { accountId: id }]) {
      await calls.payments.list(filter);
      await calls.payments.summary(filter);
    }
    await calls.requests.open();
    await calls.peers.list({});
    await calls.peers.list({ text: 'bakery' });
    await calls.rates.list();
    await calls.rates.funds();
    await calls.backups.status();
    await calls.sessions.list();
    await calls.activity.list({ limit: 50 });
    await calls.health.supportBundle();
    expect([...asked].flatMap(([sql, params]) => faultsOf(desk, sql, params))).toEqual([]);
  },
);

onSqlite('PostgreSQL plans by statistics, which tables of few rows do not have')(
  'what is still open, and what is old enough to go, is found without reading what is not',
  async () => {
    const desk = openNotedDesk();
    await desk.api.calls.requests.open();
    await peerAnswerRule.removeSome(desk.database, 0, undefined);
    const { connection } = sqliteOf(desk.test);
    const plans = [...asked].flatMap(
      ([sql, params]) => connection.prepare(`explain query plan ${sql}`).all(params) as { detail: string }[],
    );
    const details = plans.map(({ detail }) => detail);
    expect(details).toContain('SEARCH incoming_payments USING INDEX incoming_payments_requested (completed=?)');
    expect(details).toContainEqual(expect.stringMatching(/^SEARCH received_packets USING (COVERING )?INDEX received_packets_rejected /));
  },
);
