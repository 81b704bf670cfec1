import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OperationName } from '../../../src-shared/operator-contract/contract.ts';
import { ACCOUNT_BOUNDS } from '../../../src-shared/operator-contract/devices/key-rules.ts';
import { groupsFor, type KeyGroup, type KeyRole } from '../../../src-shared/people/key-groups.ts';
import { findIncomingPayment, receive } from '../../payments/incoming/incoming-payments.ts';
import { ask, pageHeaders } from '../testing/ask.ts';
import { type Client, type Desk, openDesk } from '../testing/desk.ts';
import { callWith, clientWith, PROCEDURES } from '../testing/operations.ts';

// What a role may call is walked elsewhere. Here allowed operations are asked about what is outside the role's reach.

const APP = 'https://app.example/wallet';

let desk: Desk;
let url: string;
let owner: Client;
let close: () => Promise<void>;
/** Payments that an app has asked for: one that is still open, and one that was paid and has ended. */
let ofApp: { open: string; paid: string };
/** A payment request of the shop. */
let request: string;
beforeEach(async () => {
  desk = openDesk();
  ({ url, close } = await desk.startConsole());
  owner = clientWith(url, desk.token());
  ofApp = { open: await askedByApp(0n), paid: await askedByApp(900n) };
  const { id: accountId } = await desk.account('till', 0n);
  ({ id: request } = await owner.requests.create({ requestId: randomUUID(), accountId, amount: 500n, madeAt: 'till' }));
});
afterEach(async () => {
  await close();
  await desk.close();
});

async function askedByApp(paid: bigint): Promise<string> {
  const walletAddress = await desk.account(`shop ${paid}`, 0n);
  const incomingAmount = { value: 900n, assetCode: 'USD', assetScale: 2 };
  const made = await desk.incomingPayments.create({ walletAddress, client: APP, incomingAmount });
  if (!made.ok) throw new Error(made.error);
  if (paid > 0n) await pay(made.value.id, paid);
  return made.value.id;
}

const pay = (id: string, amount: bigint) =>
  desk.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, id);
    if (payment !== undefined) await receive(tx, payment, amount, desk.clock.now());
  });

/** The members of inputs that name a payment, by the operation. The contract says them for keys of some accounts. */
const NAMED = PROCEDURES.flatMap(([name]): [OperationName, string][] => {
  const bound = ACCOUNT_BOUNDS[name];
  if (bound === undefined || typeof bound === 'string') return [];
  if ('payment' in bound) return [[name, bound.payment]];
  return 'receipt' in bound ? [[name, bound.receipt]] : [];
});

/** Everything else that these operations want to know. */
const REST = {
  kind: 'sale',
  amount: '1',
  receive: '1',
  requestId: randomUUID(),
  note: 'mine',
  reason: 'no',
  language: 'en',
  paper: 'a4',
  copies: 1,
};
const META = [
  [0, 'amount'],
  [0, 'receive'],
];

const REFUSED = ['NOT_ALLOWED', 'KEY_MAY_NOT'];
/** What a key may do whose groups do not say that it reads payments. */
const BLIND: readonly KeyGroup[] = ['seeRequests', 'makeRequests'];

it('whoever reads no payments finds none of an app by any operation, as with an id that nothing has', async () => {
  const callers: [KeyRole, KeyGroup[] | null][] = [
    ['cashier', null],
    ...groupsFor('cashier', false).map((group): [KeyRole, KeyGroup[]] => ['cashier', [group]]),
    ...BLIND.map((group): [KeyRole, KeyGroup[]] => ['manager', [group]]),
  ];
  const cells: Record<string, { refused: number; 'finds nothing': number; 'not as expected': number }> = {};
  const wrong: string[] = [];
  for (const [role, groups] of callers) {
    const name = `${role}: ${groups?.join() ?? 'all'}`;
    const { value } = await owner.apiKeys.create({ name, role, groups });
    const cell = { refused: 0, 'finds nothing': 0, 'not as expected': 0 };
    cells[name] = cell;
    for (const [operation, member] of NAMED) {
      const about = (id: string) => callWith(url, value, operation, { ...REST, [member]: id }, META);
      const nothing = await about(randomUUID());
      if (REFUSED.includes(nothing.code ?? '')) {
        cell.refused += 1;
        continue;
      }
      const [open, paid] = [await about(ofApp.open), await about(ofApp.paid)];
      if (open.text === nothing.text && paid.text === nothing.text && nothing.code !== 'BAD_REQUEST') cell['finds nothing'] += 1;
      else {
        cell['not as expected'] += 1;
        wrong.push(`${name} ${operation} ${nothing.text} ${open.text} ${paid.text}`);
      }
    }
  }
  console.table(cells);
  expect(wrong).toEqual([]);
  expect(cells['cashier: all']?.['finds nothing']).toBeGreaterThan(8);
  expect(await owner.payments.get({ id: ofApp.open })).toMatchObject({ status: 'waiting' });
});

it('attack: a cashier ends a payment of an app, and reads one that has ended', async () => {
  const { value } = await owner.apiKeys.create({ name: 'counter', role: 'cashier' });
  const { secret } = await owner.people.invite({ name: 'Carl', role: 'cashier' });
  const signedIn = await ask(url, 'POST', '/operator/session', pageHeaders(url), { secret });
  const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const page = pageHeaders(url, { cookie, ...(JSON.parse(signedIn.body) as { pageSecret: string }) });
  for (const id of [ofApp.open, ofApp.paid]) {
    expect((await callWith(url, value, 'payments.complete', { id })).code).toBe('NOT_ALLOWED');
    for (const operation of ['requests/get', 'requests/bill', 'requests/cancel', 'payments/complete']) {
      const { status, body } = await ask(url, 'POST', `/operator/rpc/${operation}`, page, { json: { id } });
      expect([status === 403 || status === 404, body.includes(APP), body.includes('900')], operation).toEqual([true, false, false]);
    }
  }
  expect(await owner.payments.get({ id: ofApp.open })).toMatchObject({ status: 'waiting' });
});

it('a cashier reads what concerns today, whoever sold it, and of earlier days what is still open', async () => {
  const { id: accountId } = await desk.account('counter', 0n);
  const asked = async (more: object = {}) =>
    (await owner.requests.create({ requestId: randomUUID(), accountId, amount: 500n, ...more })).id;
  const day = 24 * 3_600_000;
  const expiresAt = new Date(desk.clock.now() + day / 2);
  const [paid, open, lapsed, paidLate] = [await asked(), await asked(), await asked({ expiresAt }), await asked()];
  await pay(paid, 500n);
  const doer = { id: randomUUID(), name: 'Carl', role: 'cashier' } as const;
  const [carl, key] = (['person', 'key'] as const).map((kind) => desk.callsAs({ role: 'cashier', doer: { ...doer, kind } }));
  const reads = async (client: typeof carl, id: string) => {
    const about = { kind: 'sale' as const, id };
    const asks = [client?.requests.get({ id }), client?.requests.bill({ id }), client?.receipts.get(about)];
    return (await Promise.allSettled(asks)).map(({ status }) => status === 'fulfilled');
  };
  await owner.receipts.issue({ kind: 'sale', id: paid });
  expect(await reads(carl, paid)).toEqual([true, true, true]);
  desk.clock.advance(2 * day);
  await pay(paidLate, 500n);
  for (const id of [open, paidLate]) expect(await reads(carl, id), id).toEqual([true, true, false]);
  for (const id of [paid, lapsed]) expect(await reads(carl, id), id).toEqual([false, false, false]);
  await expect(carl?.requests.changeNotes({ id: paid, note: 'mine' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(carl?.requests.cancel({ id: paid })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  // Software of the shop compares its orders of any day.
  expect(await reads(key, paid)).toEqual([true, true, true]);
});

it('attack: a cashier, and a key for payment requests, listen for the payments of apps', async () => {
  const keys: [KeyRole, KeyGroup[] | null][] = [
    ['cashier', null],
    ['cashier', ['makeRequests']],
    ['manager', ['seeRequests']],
    ['manager', ['readPayments']],
  ];
  const readings = await Promise.all(
    keys.map(async ([role, groups]) => {
      const key = clientWith(url, (await owner.apiKeys.create({ name: `${role} ${groups}`, role, groups })).value);
      const stream = await key.node.changes();
      await stream.next();
      const told: string[] = [];
      const read = async () => {
        for await (const { subjects, news = [] } of stream) {
          told.push(...subjects, ...news.map(({ kind, paymentId }) => `${kind} ${paymentId}`));
          if (told.includes(`paid ${request}`)) break;
        }
        return told;
      };
      return { done: read() };
    }),
  );
  await pay(ofApp.open, 900n);
  // A change that is told later holds everything before it.
  await pay(request, 500n);
  const heard = await Promise.all(readings.map(({ done }) => done));
  expect(heard.map((told) => told.includes(ofApp.open) || told.includes(`paid ${ofApp.open}`))).toEqual([false, false, false, true]);
});
