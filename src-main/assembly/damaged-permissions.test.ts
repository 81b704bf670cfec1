import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from '../../src-shared/zod.ts';
import { grants } from '../access/tables.ts';
import { checkGrants } from '../audit/grant-rules.ts';
import { roundOf } from '../audit/testing/whole-round.ts';
import { outgoingPayments } from '../payments/tables.ts';
import { ALICE, CAROL, incomingPayment, usd } from './testing/error-cases.ts';
import { asked } from './testing/grant-steps.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(() => node.close());

const LIMITS = { debitAmount: usd('1000') };
const SECONDS = 'R/2020-01-01T00:00:00Z/PT1S';
const MONTHS = 'R/2020-01-01T00:00:00Z/P1M';
const TokenAnswer = z.object({ access_token: z.object({ value: z.string() }) });

type Terms = Partial<Parameters<TestNode['access']['approvals']['approve']>[0]>;

/** Lets the operator allow a right with these limits on these terms. */
async function allowed(limits: object = LIMITS, terms: Terms = {}): Promise<{ id: string; token: string }> {
  const { continuation, ...request } = await asked(node, limits);
  expect(await node.access.approvals.approve({ ...request, ...terms })).toEqual({ ok: true, value: undefined });
  const body = { interact_ref: node.access.continuations.interactRef(request.id) };
  const answer = await node.call({ method: 'POST', ...continuation, body });
  return { id: request.id, token: TokenAnswer.parse(answer.body).access_token.value };
}

/** Makes a payment from alice to carol, which stays under way. */
async function pay({ token }: { token: string }, value = '100'): Promise<void> {
  const to = await incomingPayment(node, { walletAddress: CAROL });
  const body = { walletAddress: ALICE, incomingPayment: to, debitAmount: usd(value) };
  expect((await node.call({ method: 'POST', path: '/outgoing-payments', token, body })).status).toBe(201);
}

const found = async () => (await checkGrants(node.database.read, '')).findings;

async function ended(): Promise<string[]> {
  await node.payments.worker.start();
  const states = async () =>
    (await node.database.read.select({ state: outgoingPayments.state }).from(outgoingPayments)).map(({ state }) => state);
  await expect.poll(async () => new Set(await states())).not.toContain('sending');
  await expect.poll(async () => new Set(await states())).not.toContain('funded');
  return await states();
}

describe('the audit finds nothing wrong with a permission', () => {
  it.each<[string, object, Terms]>([
    ['was allowed as the app asked for it', LIMITS, {}],
    ['has a lower limit', LIMITS, { debitLimit: 300n }],
    ['has the limit that the operator saw no reason to lower', LIMITS, { debitLimit: 9_000n }],
    ['has a lower limit on what arrives', { ...LIMITS, receiveAmount: usd('500') }, { receiveLimit: 400n }],
    ['got a limit from the operator', {}, { debitLimit: 300n }],
    ['has a limit instead of one that began anew each second', { ...LIMITS, interval: SECONDS }, { debitLimit: 30_000n }],
    ['has a lower limit for each month', { ...LIMITS, interval: MONTHS }, { debitLimit: 300n }],
    ['has no limit', {}, { unlimitedForAccountNamed: 'alice' }],
  ])('that %s, whatever was paid by it', async (_, limits, terms) => {
    const permission = await allowed(limits, terms);
    expect(await found()).toEqual([]);
    await pay(permission);
    await pay(permission, '200');
    expect(await found()).toEqual([]);
    expect(await ended()).toEqual(['completed', 'completed']);
    expect(await found()).toEqual([]);
  });

  it('that waits for the operator, or has ended', async () => {
    const waiting = await asked(node);
    const ended = await allowed();
    await pay(ended);
    await node.access.views.revokeGrant(ended.id);
    for (const { id } of [waiting, ended])
      await node.database.write((tx) => tx.update(grants).set({ granted: [] }).where(eq(grants.id, id)));
    expect(await found()).toEqual([]);
  });
});

describe('the audit finds a permission', () => {
  const inTerms = (before: string, after: string) => `update grants set granted = replace(granted, '${before}', '${after}')`;
  it.each([
    ['with a higher limit', inTerms('"1000"', '"1001"')],
    ['with a limit that is no number', inTerms('"1000"', '"1OOO"')],
    ['without its limit', inTerms('"debitAmount"', '"debitAmounT"')],
    ['without any limits', inTerms('"limits"', '"limitz"')],
    ['for another account', inTerms('/alice"', '/clice"')],
    ['with a limit that begins anew', inTerms('"limits":{', `"limits":{"interval":"${MONTHS}",`)],
    ['with another receiver', inTerms('"limits":{', '"limits":{"receiver":"https://x.example/incoming-payments/1",')],
    ['with a right more', inTerms('"read"]', '"read","list"]')],
    ['that has counted less', "update grant_spendings set spent = replace(spent, '1', '0') where kind = 'debit'"],
    ['that has counted in another window', "update grant_spendings set window_start = 1 where kind = 'debit'"],
    ['that has counted in another asset', "update grant_spendings set asset_scale = 3 where kind = 'debit'"],
    ['whose count is gone', "delete from grant_spendings where kind = 'debit'"],
    ['whose payment is counted for none', 'update outgoing_payments set spending_window = null'],
  ])('%s', async (_, damage) => {
    const { id } = await allowed();
    const other = await allowed();
    await pay(other);
    await node.database.write((tx) => tx.update(grants).set({ state: 'revoked' }).where(eq(grants.id, id)));
    await node.test.tamper(damage);
    expect(await found()).toEqual([{ owner: node.accounts.alice.id, finding: 'grant', place: other.id }]);
  });
});

it('a permission that allows more than its app asked for stops new money of its account, until the operator revokes it', async () => {
  const { id } = await allowed();
  const round = () => roundOf(node);
  const asksFor = async (name: 'alice' | 'carol') => {
    const token = await node.giveToken([{ type: 'incoming-payment', actions: ['create'] }]);
    return (await node.call({ method: 'POST', path: '/incoming-payments', token, body: { walletAddress: `${ORIGIN}/${name}` } })).status;
  };
  await node.test.tamper(`update grants set granted = replace(granted, '"1000"', '"9000"')`);
  await round();
  expect([await asksFor('alice'), await asksFor('carol')]).toEqual([503, 201]);
  await node.access.views.revokeGrant(id);
  node.clock.advance(1_000);
  await round();
  expect(await asksFor('alice')).toBe(201);
});
