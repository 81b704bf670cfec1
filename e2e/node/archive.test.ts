import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seedPastPayments } from '../../bench/payments/past-payments.ts';
import { contradictions, readBooks } from '../support/books/books.ts';
import { makeOlder } from '../support/books/old-payments.ts';
import { createAccount } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

const OLD = 400;
const AGE_MS = 100 * 24 * 60 * 60_000;

let dataDir: string;
let node: RunningNode;
let made: { incomingPayment: string; outgoingPayment: string };
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'paydesk-archive-'));
});
afterEach(async () => {
  await node.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Makes a node with many payments between its accounts, all of which ended a hundred days ago. */
async function nodeWithOldPayments(): Promise<void> {
  node = await RunningNode.start({ dataDir });
  const { operator } = node;
  const [payer, shop] = [await createAccount(node, 'payer', 1_000_000n), await createAccount(node, 'shop', 0n)];
  const quote = await operator.payments.quote({ requestId: randomUUID(), accountId: payer.id, payee: shop.walletAddress, send: 100n });
  const { id } = await operator.payments.pay({ requestId: randomUUID(), accountId: payer.id, quoteId: quote.id });
  await expect.poll(async () => (await operator.payments.get({ id })).status).toBe('completed');
  const { items } = await operator.payments.list({ direction: 'in' });
  made = { incomingPayment: items[0]?.id ?? '', outgoingPayment: id };
  await node.stop();
  seedPastPayments(dataDir, made, OLD);
  makeOlder(dataDir, AGE_MS);
}

const state = () =>
  readBooks(node, (database) => {
    const one = (sql: string) => Number(database.prepare(sql).pluck().get());
    const [left, archived] = [
      one("select count(*) from events where substr(type, 1, 8) in ('incoming', 'outgoing')"),
      one('select coalesce(sum(rows), 0) from archive_files'),
    ];
    return { left, all: left + archived, wrong: contradictions(database), broken: database.pragma('foreign_key_check') };
  });

it('a node that is killed at any step of archiving loses and doubles nothing, and the archive is readable', async () => {
  await nodeWithOldPayments();
  const { all, left } = state();
  expect(left).toBeGreaterThan(OLD * 4);
  const lefts: number[] = [];
  for (const point of [
    'archive-step:1',
    'archive-step:2',
    'archive-step:3',
    'archive-step:4',
    'removed-some:3',
    'archive-step:5',
    'archive-step:6',
  ]) {
    const started = RunningNode.start({ dataDir, env: { PAYDESK_FAIL_POINT: point } });
    // It may die before it has said that it is ready.
    expect(await started.then((killed) => killed.exited(), String)).toMatch(/SIGKILL|stopped with null/);
    const { left: rest, ...others } = state();
    expect({ point, ...others }).toEqual({ point, all, wrong: [], broken: [] });
    lefts.push(rest);
  }
  expect(lefts).toEqual(lefts.toSorted((a, b) => b - a));
  expect(lefts.at(-1)).toBeLessThan(left);

  node = await RunningNode.start({ dataDir });
  // The newest event of all stays.
  await expect.poll(() => state().left, { timeout: 60_000 }).toBeLessThanOrEqual(1);
  expect(state()).toMatchObject({ all, wrong: [], broken: [] });
  const { files } = await node.operator.health.archive({ check: true });
  expect(files.map((file) => file.state)).toEqual(files.map(() => 'whole'));
  expect(readdirSync(join(dataDir, 'archive')).toSorted()).toEqual(files.map(({ file }) => `${file}.archive`).toSorted());
  const payment = await node.operator.payments.get({ id: made.outgoingPayment });
  expect(payment).toMatchObject({ archived: true, status: 'completed' });
  const { timeline, problems } = await node.operator.payments.archived({ id: made.outgoingPayment });
  expect(problems).toEqual([]);
  expect([...timeline, ...payment.timeline].map(({ type }) => type)).toEqual(['outgoing_payment.created', 'outgoing_payment.completed']);
});
