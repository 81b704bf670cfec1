import { globSync } from 'node:fs';
import { join } from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { REMOVED_KINDS } from '../../src-shared/disk-kinds.ts';
import { MAX_AGE_SECONDS, nonceMarks, rememberNonces } from '../access/clients/repetitions.ts';
import { grants, seenSignatures } from '../access/tables.ts';
import { checkouts } from '../checkout/tables.ts';
import { events } from '../journal/tables.ts';
import { ledgerTransfers } from '../ledger/tables.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { incomingPayments, outgoingPayments, quotes } from '../payments/tables.ts';
import { Archive } from '../platform/archive/archive.ts';
import { builder } from '../platform/database/query-builder/builder.ts';
import { onSqlite } from '../platform/database/testing/on-sqlite.ts';
import { sqliteOf } from '../platform/database/testing/sqlite-test.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { Retention } from '../platform/retention/retention.ts';
import { DAY_MS } from '../platform/retention/rule.ts';
import { RETENTION_RULES, rulesKeeping, TABLES } from './retention.ts';
import { ALICE, CAROL, EVERYTHING, usd } from './testing/error-cases.ts';
import { startGrant } from './testing/grant-steps.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(async () => {
  expect(await brokenInvariants(node.database.read)).toEqual([]);
  expect(await node.test.brokenReferences()).toEqual([]);
  await node.close();
});

const allRules = () => rulesKeeping(new Archive({ database: node.database, folder: '' }), { keepDays: 30, archiveDays: 90 });

const retentionOf = ({ database, clock }: TestNode, pause = async () => undefined) =>
  new Retention({ database, clock, log: createLogger('error'), rules: RETENTION_RULES, pause });

const Made = z.looseObject({ id: z.string() });
async function post(path: string, body: object): Promise<string> {
  const answer = await node.call({ method: 'POST', path, body, token: await node.giveToken(EVERYTHING) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return Made.parse(answer.body).id;
}
const inDays = (days: number) => new Date(node.clock.now() + days * DAY_MS).toISOString();
const request = (days: number | undefined, amount = '100') =>
  post('/incoming-payments', { walletAddress: CAROL, incomingAmount: usd(amount), ...(days !== undefined && { expiresAt: inDays(days) }) });
const quote = (receiver: string) => post('/quotes', { walletAddress: ALICE, receiver, method: 'ilp' });
async function whenEnded(url: string): Promise<void> {
  for (;;) {
    const payment = await node.payments.outgoingPayments.find(url.split('/').at(-1) ?? '');
    if (payment?.state === 'completed' || payment?.state === 'failed') return;
    if (payment && payment.state !== 'sending' && payment.dueAt > node.clock.now()) node.clock.advance(payment.dueAt - node.clock.now());
    node.payments.worker.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
async function pay(quoteId: string): Promise<string> {
  const url = await post('/outgoing-payments', { walletAddress: ALICE, quoteId });
  await whenEnded(url);
  return url;
}
const pathOf = (url: string) => url.slice(ORIGIN.length);
const read = async (url: string) => node.call({ method: 'GET', path: pathOf(url), token: await node.giveToken(EVERYTHING) });

describe('the list of what is removed', () => {
  it('names each table of the schema, as kept for a reason or in a rule', async () => {
    const files = globSync('src-main/**/tables.ts', { cwd: join(import.meta.dirname, '../..') });
    const modules = await Promise.all(files.map((file) => import(join('../..', file)) as Promise<Record<string, unknown>>));
    const tables = modules.flatMap((module) => Object.values(module).flatMap((value) => (is(value, SQLiteTable) ? [value] : [])));
    expect(Object.keys(TABLES).toSorted()).toEqual(tables.map(getTableName).toSorted());
    const inRules = new Set(allRules().flatMap((rule) => rule.tables.map(getTableName)));
    for (const [name, { kept }] of Object.entries(TABLES)) expect(kept !== undefined || inRules.has(name), name).toBe(true);
  });

  it('has one rule for each kind, and no rule touches the ledger, the activity log or payments that left', () => {
    expect(
      allRules()
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual([...REMOVED_KINDS].toSorted());
    const touched = new Set(allRules().flatMap(({ tables }) => tables.map(getTableName)));
    for (const name of ['ledger_accounts', 'ledger_transfers', 'ledger_quarters', 'activities', 'activity_head', 'outgoing_payments'])
      expect(touched).not.toContain(name);
  });
});

describe('what nobody needs any more', () => {
  it('goes after its time: unpaid requests, unused quotes, grants, tokens, and their events', async () => {
    const unpaid = await request(1);
    const paid = await request(1);
    const unused = await quote(paid);
    const used = await quote(paid);
    const left = await pay(used);
    const grant = await startGrant(node, { access_token: { access: [{ type: 'incoming-payment', actions: ['create'] }] } });
    node.clock.advance(40 * DAY_MS);
    await retentionOf(node).runOnce();

    for (const url of [paid, used, left]) expect((await read(url)).status, url).toBe(200);
    for (const url of [unpaid, unused]) expect((await read(url)).status, url).toBe(404);
    expect(await node.call({ method: 'POST', path: grant.continuation.path, token: grant.continuation.token })).toMatchObject({
      status: 404,
    });
    const told = await node.database.read.select().from(events);
    expect(told.filter(({ subject }) => unpaid.endsWith(subject))).toEqual([]);
    expect(told.filter(({ subject }) => paid.endsWith(subject)).map(({ type }) => type)).toEqual([
      'incoming_payment.created',
      'incoming_payment.completed',
    ]);
    // One of these was paid with. The five requests above brought the others.
    expect(await node.database.read.select({ id: grants.id }).from(grants)).toHaveLength(6);
  });

  it('leaves room that each look gives back to the file system', async () => {
    const giveBack = vi.spyOn(node.database, 'giveBack').mockResolvedValueOnce(true);
    await retentionOf(node).lookOnce();
    expect(giveBack).toHaveBeenCalledTimes(2);
  });

  it('stays until then, and what the operator asked for stays', async () => {
    const unpaid = await request(1);
    const [own] = [
      await node.payments.incomingPayments.create({ walletAddress: node.accounts.carol, client: null, expiresAt: node.clock.now() + 1 }),
    ];
    node.clock.advance(31 * DAY_MS);
    await retentionOf(node).runOnce();
    expect((await read(unpaid)).status).toBe(200);
    node.clock.advance(1);
    await retentionOf(node).runOnce();
    expect((await read(unpaid)).status).toBe(404);
    expect(own.ok && (await node.payments.incomingPayments.find(own.value.id))).toBeTruthy();
  });

  it('stays while something refers to it, also when many such requests come first', async () => {
    const { database, clock, accounts } = node;
    const made: string[] = [];
    for (let i = 0; i < 130; i++) {
      const one = await node.payments.incomingPayments.create({
        walletAddress: accounts.carol,
        client: 'x',
        expiresAt: clock.now() + 1_000 + i,
      });
      if (one.ok) made.push(one.value.id);
    }
    const attempt = {
      state: 'paid',
      visitorHash: 'v',
      walletAddress: 'w',
      amount: 1n,
      tries: 0,
      lapsesAt: 0,
      createdAt: 0,
      updatedAt: 0,
    } as const;
    await database.write(async (tx) => {
      for (const id of made.slice(0, 120)) await tx.insert(checkouts).values({ ...attempt, id, incomingPaymentId: id });
    });
    clock.advance(31 * DAY_MS);
    expect(await retentionOf(node).runOnce()).toMatchObject(
      new Map([
        ['unpaid_requests', 10],
        ['events', 4],
      ]),
    );
    const left = await database.read.select({ id: incomingPayments.id }).from(incomingPayments);
    expect(left.map(({ id }) => id).toSorted()).toEqual(made.slice(0, 120).toSorted());
  });

  it('goes batch by batch: two at once remove everything once, and a stop loses nothing', async () => {
    for (let i = 0; i < 250; i++)
      await node.payments.incomingPayments.create({ walletAddress: node.accounts.carol, client: 'x', expiresAt: node.clock.now() + 1 });
    node.clock.advance(31 * DAY_MS);
    const stopped = retentionOf(node, async () => await Promise.resolve(void stopped.stop()));
    expect(await stopped.runOnce()).toEqual(new Map([['unpaid_requests', 100]]));
    const both = await Promise.all([retentionOf(node).runOnce(), retentionOf(node).runOnce()]);
    expect(both.map((removed) => removed.get('unpaid_requests') ?? 0).reduce((sum, one) => sum + one)).toBe(150);
    expect(await node.database.read.select().from(incomingPayments)).toEqual([]);
  });

  it('waits while a backup keeps the log of the books from becoming shorter, and stops then, too', async () => {
    for (let i = 0; i < 250; i++)
      await node.payments.incomingPayments.create({ walletAddress: node.accounts.carol, client: 'x', expiresAt: node.clock.now() + 1 });
    node.clock.advance(31 * DAY_MS);
    const isLogHeld = vi.spyOn(node.database, 'isLogHeld').mockResolvedValue(true);
    const left: number[] = [];
    const retention = retentionOf(node, async () => {
      left.push((await node.database.read.select().from(incomingPayments)).length);
      if (left.length === 5) isLogHeld.mockResolvedValue(false);
    });
    await retention.runOnce();
    expect(left).toEqual([150, 150, 150, 150, 150, 50]);
    isLogHeld.mockResolvedValue(true);
    for (let i = 0; i < 250; i++)
      await node.payments.incomingPayments.create({ walletAddress: node.accounts.carol, client: 'x', expiresAt: node.clock.now() + 1 });
    node.clock.advance(31 * DAY_MS);
    const stopped = retentionOf(node, async () => void stopped.stop());
    expect((await stopped.runOnce()).get('unpaid_requests')).toBe(100);
  });

  it('takes no more statements and rows in a batch, however much is old, so that requests wait for no longer', async () => {
    const { database, clock, accounts } = node;
    const make = async (count: number) => {
      for (let i = 0; i < count; i++)
        await node.payments.incomingPayments.create({ walletAddress: accounts.carol, client: 'x', expiresAt: clock.now() + 1 });
      clock.advance(31 * DAY_MS);
    };
    const batchOf = async (kind: string) => {
      const statements: string[] = [];
      const end = node.test.hear((sql) => statements.push(sql));
      const batch = await RETENTION_RULES.find((rule) => rule.kind === kind)?.removeSome(database, clock.now() - 30 * DAY_MS, undefined);
      end();
      return { removed: batch?.removed, statements: statements.length };
    };
    await make(100);
    const few = await batchOf('unpaid_requests');
    expect(few.removed).toBe(100);
    await make(600);
    expect(await batchOf('unpaid_requests')).toEqual(few);
    expect(few.statements).toBeLessThanOrEqual(10);
    expect(await database.read.select({ id: incomingPayments.id }).from(incomingPayments)).toHaveLength(500);
    // The events of the removed ones went with them; those of the others are old, and 500 at least.
    const events = await batchOf('events');
    expect(events.removed).toBeLessThanOrEqual(100);
    expect(events.statements).toBeLessThanOrEqual(10);
  });

  onSqlite('PostgreSQL plans by statistics')('is found by an index: no rule reads a whole table, or sorts one', async () => {
    const { connection } = sqliteOf(node.test);
    const faults: string[] = [];
    const read = builder(async (sql, params) => {
      const plan = connection.prepare(`explain query plan ${sql}`).all(params) as { detail: string }[];
      // The index of attempts that have failed leads to the one after which there are too many.
      const bad = plan.filter(({ detail }) => /TEMP B-TREE|SCAN (?!checkouts USING INDEX checkouts_failed)/.test(detail));
      faults.push(...bad.map(({ detail }) => `${detail}: ${sql}`));
      return await node.test.execute(sql, params, 'all');
    });
    const write = async () => ({ removed: 0, more: false });
    const database = Object.assign(Object.create(node.database), { read, write });
    for (const place of [undefined, { id: '0', createdAt: 1 }])
      for (const rule of allRules()) await rule.removeSome(database, node.clock.now() + DAY_MS, place);
    expect(faults).toEqual([]);
  });

  it('leaves the newest event, so that no position is given twice', async () => {
    await startGrant(node, { access_token: { access: [{ type: 'incoming-payment', actions: ['create'] }] } });
    const [before] = (await node.database.read.select().from(events)).slice(-1);
    node.clock.advance(100 * DAY_MS);
    await retentionOf(node).runOnce();
    await startGrant(node, { access_token: { access: [{ type: 'incoming-payment', actions: ['create'] }] } });
    const [after] = (await node.database.read.select().from(events)).slice(-1);
    expect(after?.position).toBe((before?.position ?? 0n) + 1n);
  });

  it('keeps a nonce until its signature is refused for its age', async () => {
    const created = Math.floor(node.clock.now() / 1_000);
    const signed = { signatures: [{ keyId: 'k', thumbprint: 'key', signature: Buffer.from('s'), created, nonce: 'n' }], targetUri: '' };
    await node.database.write((tx) => rememberNonces(tx, nonceMarks(signed)));
    node.clock.advance(MAX_AGE_SECONDS * 1_000);
    await retentionOf(node).runOnce();
    expect(await node.database.read.select().from(seenSignatures)).toHaveLength(1);
    node.clock.advance(2_000);
    await retentionOf(node).runOnce();
    expect(await node.database.read.select().from(seenSignatures)).toEqual([]);
  });
});

describe('a client that comes late', () => {
  it('goes on from a cursor whose payment was removed', async () => {
    const oldest = await request(90);
    node.clock.advance(1);
    const removed = await request(1);
    node.clock.advance(1);
    await request(90);
    node.clock.advance(40 * DAY_MS);
    await retentionOf(node).runOnce();
    const query = new URLSearchParams({ 'wallet-address': CAROL, cursor: removed.split('/').at(-1) ?? '' });
    const { status, body } = await node.call({
      method: 'GET',
      path: `/incoming-payments?${query}`,
      token: await node.giveToken(EVERYTHING),
    });
    expect([status, body]).toMatchObject([200, { result: [{ id: oldest }] }]);
  });

  it('pays nothing a second time with a request that it sends again', async () => {
    const token = await node.giveToken(EVERYTHING);
    const quoteId = await quote(await request(1));
    const sent = node.signed({ method: 'POST', path: '/outgoing-payments', token, body: { walletAddress: ALICE, quoteId } });
    const { id } = Made.parse((await node.app.inject(sent)).json());
    await whenEnded(id);
    node.clock.advance(40 * DAY_MS);
    await retentionOf(node).runOnce();
    expect((await node.app.inject(sent)).statusCode).toBe(401);
    expect((await node.database.read.select().from(outgoingPayments)).map((payment) => payment.failure ?? payment.state)).toEqual([
      'completed',
    ]);
  });
});

type Step =
  | { do: 'request'; days: number | undefined; amount: string }
  | { do: 'quote' | 'pay' | 'complete'; nth: number }
  | { do: 'wait'; days: number }
  | { do: 'grant' | 'tidy' };

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('request' as const),
    days: fc.constantFrom(1, 20, 60, undefined),
    amount: fc.constantFrom('1', '500', '90000'),
  }),
  fc.record({ do: fc.constantFrom('quote' as const, 'pay' as const, 'complete' as const), nth: fc.nat({ max: 20 }) }),
  fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(0.001, 2, 35) }),
  fc.record({ do: fc.constantFrom('grant' as const, 'tidy' as const) }),
);

/** Does one step of a history. A step that the node refuses is part of the history, too. */
async function live(step: Step, made: { requests: string[]; quotes: string[] }): Promise<void> {
  const ask = async (path: string, body?: object) =>
    node.call({ method: 'POST', path, ...(body && { body }), token: await node.giveToken(EVERYTHING) });
  const idIn = ({ status, body }: { status: number; body: unknown }) => (status < 300 ? [Made.parse(body).id] : []);
  switch (step.do) {
    case 'request':
      made.requests.push(await request(step.days, step.amount));
      break;
    case 'quote': {
      const receiver = made.requests.at(-1 - (step.nth % (made.requests.length || 1)));
      if (receiver) made.quotes.push(...idIn(await ask('/quotes', { walletAddress: ALICE, receiver, method: 'ilp' })));
      break;
    }
    case 'pay': {
      const quoteId = made.quotes.at(-1 - (step.nth % (made.quotes.length || 1)));
      for (const id of quoteId ? idIn(await ask('/outgoing-payments', { walletAddress: ALICE, quoteId })) : []) await whenEnded(id);
      break;
    }
    case 'complete': {
      const url = made.requests.at(-1 - (step.nth % (made.requests.length || 1)));
      if (url) await ask(`${pathOf(url)}/complete`);
      break;
    }
    case 'wait':
      node.clock.advance(step.days * DAY_MS);
      break;
    case 'grant':
      await startGrant(node, { access_token: { access: [{ type: 'incoming-payment', actions: ['create'] }] } });
      break;
    case 'tidy':
      await retentionOf(node).runOnce();
  }
}

/** Everything that money needs: transfers, payments, their prices, what their permissions have spent, their events. */
async function whatMoneyNeeds() {
  const { read: reader } = node.database;
  const paid = (await reader.select().from(incomingPayments)).filter(({ received }) => received > 0n);
  const left = await reader.select().from(outgoingPayments);
  const kept = new Set([...paid, ...left].map(({ id }) => id));
  return {
    transfers: await reader.select().from(ledgerTransfers),
    paid,
    left,
    prices: (await reader.select().from(quotes)).filter(({ outgoingPaymentId }) => outgoingPaymentId !== null),
    allowed: (await reader.select().from(grants)).filter(({ id }) => left.some(({ grantId }) => grantId === id)),
    told: (await reader.select().from(events)).filter(({ subject }) => kept.has(subject)),
    answers: await Promise.all(
      [...paid.map(({ id }) => `${ORIGIN}/incoming-payments/${id}`), ...left.map(({ id }) => `${ORIGIN}/outgoing-payments/${id}`)].map(
        async (url) => (await read(url)).body,
      ),
    ),
  };
}

it('the retention takes nothing that money needs, whatever has happened, and finds nothing more the second time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 25 }), async (history) => {
      await node.close();
      node = await openTestNode();
      const made = { requests: [], quotes: [] };
      for (const step of history) await live(step, made);
      node.clock.advance(40 * DAY_MS);
      const before = await whatMoneyNeeds();
      await retentionOf(node).runOnce();
      expect(await whatMoneyNeeds()).toEqual(before);
      const again = await retentionOf(node).runOnce();
      expect(again).toEqual(new Map());
      expect(await brokenInvariants(node.database.read)).toEqual([]);
      expect(await node.test.brokenReferences()).toEqual([]);
    }),
    { numRuns: 15 },
  );
}, 60_000);
