import { randomUUID } from 'node:crypto';
import { ORPCError } from '@orpc/server';
import { afterEach, expect, it } from 'vitest';
import { peerAnswerRule } from '../../peers/retention.ts';
import { builder } from '../../platform/database/query-builder/builder.ts';
import { onSqlite } from '../../platform/database/testing/on-sqlite.ts';
import { sqliteOf } from '../../platform/database/testing/sqlite-test.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { metaOf, PROCEDURES } from '../testing/operations.ts';

/**
 * What stays small: tables with one row, the operator's browsers, people, keys and tills, what there is once for an
 * asset, for a pair of them or for a day, the files of the archive, products (5,000 at most), and open invitations.
 */
const SMALL = new RegExp(
  [
    '"(activity_head|backup_schedule|operator_sessions|operator_links|people|passkeys|passwords|recovery_codes|pins|pin_tries)"',
    '"(browser_people|known_browsers|shop_settings|rates|followed_rates|exchange_fees|api_keys|tills|day_closings|archive_files)"',
    'from "(refund_limits|second_person_limits|products|peer_invitations)"',
    `"kind" = 'exchange'`,
  ].join('|'),
);
/** The indexes of what is under way, or grows, and lists that the question itself brings. They have few rows. */
const FEW = /((_(due|growing|grown)|print_jobs_under_way)( LEFT-JOIN)?$)|VIRTUAL TABLE/;

/** Their rows are sorted after an index has found the few that count. */
const OF_FEW = /"claims"\."state" in \('open', 'deciding'\)|group by "outgoing_payments"\."receiver_id"|group by cast\(day\.key/;

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

/** What each read of the contract is asked. A read that is asked nothing reads no table, or asks somebody else. */
function readsOf(account: string, payment: string): Record<string, readonly (object | undefined)[]> {
  const nothing: readonly undefined[] = [undefined];
  const listed = [{}, { offset: 7 }, { text: 'bread' }, { minAmount: '1' }, { unpaid: true }, { accountId: account }];
  const narrowed = [{ client: 'https://app.example' }, { reference: 'R-1' }, { madeAt: 'till' }, { tillId: randomUUID() }];
  const day = '2026-01-01';
  return {
    ...{ 'lock.state': nothing, 'lock.inUse': [], 'node.info': nothing, 'node.overview': nothing, 'node.changes': [] },
    'accounts.list': [{}, { order: 'newest', cursor: `${account} ${Date.now()}` }, { text: 'shop' }],
    ...{ 'accounts.get': [{ id: account }], 'accounts.movements': [{ id: account }], 'accounts.keys.list': [{ id: account }] },
    ...{ 'payments.list': [...listed, ...narrowed], 'payments.summary': [...listed, ...narrowed] },
    ...{ 'payments.get': [{ id: payment }], 'payments.archived': [{ id: payment }], 'payments.payee': [], 'payments.quote': [] },
    'refunds.price': [],
    ...{ 'refunds.payers': [{ paymentId: payment }], 'refunds.list': [{ paymentId: payment }] },
    ...{ 'refunds.of': [{ paymentId: payment }], 'claims.of': [{ paymentId: payment }], 'claims.waiting': nothing },
    ...{ 'refundLimits.list': nothing, 'approvals.list': nothing, 'approvals.get': [{ id: payment }] },
    ...{ 'apps.grants': [{}], 'apps.grant': [{ id: payment }], 'apps.trust': [], 'apps.frozen': nothing },
    ...{
      'peers.list': [{}, { text: 'bakery' }],
      'peers.get': [{ id: payment }],
      'peers.self': nothing,
      'peers.test': [],
      'peers.steps': [],
    },
    ...{ 'wallets.check': [], 'wallets.outside': [] },
    ...{ 'invitations.list': nothing, 'invitations.read': [], 'invitations.testBothWays': [] },
    ...{ 'rates.list': nothing, 'rates.funds': nothing, 'rateSources.list': nothing, 'rateSources.test': [], 'pairs.list': nothing },
    ...{ 'requests.accounts': [{}, { text: 'shop' }, { id: account }], 'requests.open': nothing, 'requests.get': [{ id: payment }] },
    ...{ 'requests.bill': [{ id: payment }], 'requests.sales': nothing, 'requests.failedAttempts': [{ id: payment }] },
    'backups.status': nothing,
    ...{ 'restore.last': nothing, 'restore.begin': [], 'restore.part': [], 'restore.look': [], 'restore.discard': [] },
    ...{ 'desktop.get': [], 'desktop.printers': [] },
    ...{ 'people.me': nothing, 'people.list': nothing, 'secondPerson.get': nothing, 'waiting.list': nothing, 'sessions.list': nothing },
    ...{ 'ways.list': nothing, 'ways.beginPasskey': [], 'ways.beginPassword': [], 'apiKeys.list': nothing, 'tills.list': nothing },
    ...{ 'settings.node': nothing, 'settings.timeZone': nothing, 'settings.till': nothing, 'shop.get': nothing },
    'products.list': [{}, { text: 'tea' }, { order: 'sales' }, { assetCode: 'USD', assetScale: 2 }],
    ...{ 'products.byCode': [{ code: '4006381333931' }], 'closings.current': nothing, 'closings.list': [{}, { below: 3 }] },
    ...{ 'printing.state': nothing, 'printing.get': nothing, 'printing.ofReceipt': [{ kind: 'sale', id: payment }], 'printing.tryNow': [] },
    ...{ 'closings.get': [{ number: 1 }], 'closings.accounts': [{ number: 1, piece: 0 }] },
    ...{ 'receipts.get': [{ kind: 'sale', id: payment }], 'receipts.pdf': [] },
    'reports.sales': [{ accountId: account, from: day, to: day }],
    ...{ 'statements.look': [{ accountId: account, from: day, to: day }], 'statements.settings': nothing },
    ...{ 'activity.list': [{ limit: 50 }, { limit: 50, by: account }], 'activity.doers': nothing },
    ...{ 'health.reach': [], 'health.archive': [{ check: false }], 'health.replicas': nothing, 'health.disk': nothing },
    ...{ 'health.log': [{ level: 'info', limit: 100 }], 'health.supportBundle': nothing },
  };
}

/** The names of the operations that change nothing. */
const READS = PROCEDURES.flatMap(([name, procedure]) => (metaOf(procedure).act === null ? [name] : []));

/** Asks. A refusal, because there is no such thing, is an answer. */
async function ask(desk: Desk, name: string, input: object | undefined): Promise<void> {
  let part: unknown = desk.api.calls;
  for (const word of name.split('.')) part = (part as Record<string, unknown>)[word];
  await (part as (input: object | undefined) => Promise<unknown>)(input).catch((error: unknown) => {
    if (!(error instanceof ORPCError) || error.status >= 500 || error.code === 'BAD_REQUEST') throw error;
  });
}

/** What is wrong with the plan of a query of the main thread. */
function faultsOf({ test }: Desk, sql: string, params: unknown[]): string[] {
  if (SMALL.test(sql) || sql.endsWith('where false')) return [];
  const plan = sqliteOf(test).connection.prepare(`explain query plan ${sql}`).all(params) as { detail: string }[];
  return plan.flatMap(({ detail }) => {
    const readsAll = detail.startsWith('SCAN') && !(detail.includes('INDEX') && sql.includes('limit')) && !FEW.test(detail);
    // The last term is the id. Only rows of the same millisecond are sorted by it. Open claims, what has paid one
    // request and the quarters of a month are few.
    const sorts = detail.includes('TEMP B-TREE') && !detail.includes('FOR LAST TERM OF ORDER BY') && !OF_FEW.test(sql);
    return readsAll || sorts ? [`${detail}: ${sql}`] : [];
  });
}

it('every read of the contract is looked at below', () => {
  const known = Object.keys(readsOf('', '')).filter((name) => name !== 'health.supportBundle');
  expect(known.toSorted()).toEqual(READS.toSorted());
});

onSqlite('PostgreSQL plans by statistics, which tables of few rows do not have')(
  'no question of the console reads a whole table on the main thread, or sorts there',
  async () => {
    const desk = openNotedDesk();
    const { calls } = desk.api;
    const { id } = await desk.account('shop', 500n);
    await calls.requests.create({ requestId: randomUUID(), accountId: id, amount: 100n });
    await calls.accounts.deposit({ id, requestId: randomUUID(), amount: 5n, note: 'Cash' });
    asked.clear();
    const payment = (await calls.payments.list({})).items[0]?.id ?? '';
    asked.clear();
    for (const [name, inputs] of Object.entries(readsOf(id, payment))) for (const input of inputs) await ask(desk, name, input);
    expect([...asked].flatMap(([sql, params]) => faultsOf(desk, sql, params))).toEqual([]);
  },
);

onSqlite('PostgreSQL plans by statistics, which tables of few rows do not have')(
  'what is still open, and what is old enough to go, is found without reading what is not',
  async () => {
    const desk = openNotedDesk();
    const { id } = await desk.account('shop', 500n);
    const made = await desk.api.calls.requests.create({ requestId: randomUUID(), accountId: id, amount: 100n });
    await desk.api.calls.requests.open();
    await desk.api.calls.payments.get({ id: made.id });
    await peerAnswerRule.removeSome(desk.database, 0, undefined);
    const { connection } = sqliteOf(desk.test);
    const plans = [...asked].flatMap(
      ([sql, params]) => connection.prepare(`explain query plan ${sql}`).all(params) as { detail: string }[],
    );
    const details = plans.map(({ detail }) => detail);
    expect(details).toContain('SEARCH incoming_payments USING INDEX incoming_payments_requested (completed=?)');
    const ofEvents = details.filter((detail) => detail.includes('events_subject'));
    // A payment may have a million packets.
    expect(new Set(ofEvents)).toEqual(
      new Set(['SEARCH events USING INDEX events_subject (subject=? AND type=? AND position>? AND position<?)']),
    );
    expect(details).toContainEqual(expect.stringMatching(/^SEARCH received_packets USING (COVERING )?INDEX received_packets_rejected /));
  },
);
