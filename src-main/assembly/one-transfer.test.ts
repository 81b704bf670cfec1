import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkIncoming } from '../audit/incoming-rules.ts';
import { checkOutgoing } from '../audit/payment-rules.ts';
import { daySums } from '../ledger/days.ts';
import { accountId, spendableIn, takeHeld, transfer } from '../ledger/ledger.ts';
import { ledgerTransfers } from '../ledger/tables.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { GIVEN_BACK } from '../ledger/transfer-kinds.ts';
import { giveUp } from '../payments/outgoing/endings.ts';
import { createLocalAcceptance } from '../payments/outgoing/local-money.ts';
import { isFinal } from '../payments/outgoing/outgoing-payment-rows.ts';
import { outgoingPayments } from '../payments/tables.ts';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const OPENING = 10_000n;
const MINUTE_MS = 60_000;

let node: Payments;
let buyer: WalletAddress;
let shop: WalletAddress;
/** The payments that were made, in their order. */
let made: { id: string; incomingPaymentId: string; amount: bigint }[];
beforeEach(open);
afterEach(() => node.close());

async function open(): Promise<void> {
  node = openPayments();
  // The test sends the packets itself.
  await node.worker.stop();
  [buyer, shop] = [await node.account('buyer', OPENING), await node.account('shop', 0n)];
  made = [];
}

/** Makes a payment from the buyer to the shop, or to the buyer. It is not made without money. */
async function fund(amount: bigint, to: WalletAddress = shop): Promise<string | undefined> {
  const asked = await node.incomingPayments.create({ walletAddress: to, client: 'app', incomingAmount: { value: amount, ...USD } });
  if (!asked.ok) throw new Error(asked.error);
  const incomingPayment = node.urls.incomingPayment(asked.value.id);
  const debitAmount = { value: amount, ...USD };
  const payment = await node.outgoingPayments.createFromIncomingPayment({
    walletAddress: buyer,
    right: null,
    incomingPayment,
    debitAmount,
  });
  if (!payment.ok) {
    expect(payment.error.code).toBe('insufficient_balance');
    return undefined;
  }
  made.push({ id: payment.value.id, incomingPaymentId: asked.value.id, amount });
  return payment.value.id;
}

/** Turns a payment into one that an earlier version has funded: its money is in escrow. */
async function asFundedBefore(id: string): Promise<void> {
  await node.database.write(async (tx) => {
    const held = await takeHeld(tx, id);
    if (held === undefined) return;
    const [debit, credit] = [accountId('customer', buyer.id), accountId('escrow', buyer.id)];
    await transfer(tx, { kind: 'reservation', debit, credit, amount: held.amount, paymentId: id, at: held.createdAt });
  });
}

/** Sends a packet of a payment, as the attempt that has it. @returns whether it moved its money. */
async function send(nth: number, amount: bigint): Promise<boolean> {
  const { id, incomingPaymentId } = made[nth] ?? { id: '', incomingPaymentId: '' };
  const payment = await node.outgoingPayments.find(id);
  if (payment === undefined) throw new Error('no payment');
  if (!isFinal(payment))
    await node.database.write(async (tx) => {
      await tx.update(outgoingPayments).set({ state: 'sending' }).where(eq(outgoingPayments.id, id));
    });
  const accepted = await createLocalAcceptance(node)({
    condition: randomBytes(32),
    ...{ sourceAmount: amount, sourceAsset: USD, amount, asset: USD, incomingPaymentId },
    sender: { outgoingPaymentId: id, attempt: payment.attempt },
  });
  return accepted.ok;
}

async function end(nth: number): Promise<void> {
  const payment = await node.outgoingPayments.find(made[nth]?.id ?? '');
  if (payment !== undefined && !isFinal(payment)) await giveUp(node.database, payment, 'out_of_time', node.clock.now());
}

const transfersOf = async (id: string) =>
  (await node.database.read.select().from(ledgerTransfers).where(eq(ledgerTransfers.paymentId, id)))
    .map(({ kind, state, amount }) => `${kind} ${amount} ${state}`)
    .toSorted();

/** What the accounts can spend, and what the day has moved, by the payments as they stand. */
async function expectRightBooks(): Promise<void> {
  const { read } = node.database;
  expect(await brokenInvariants(read)).toEqual([]);
  expect([...(await checkOutgoing(read, '')).findings, ...(await checkIncoming(read, '')).findings]).toEqual([]);
  const payments = await read.select().from(outgoingPayments);
  const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const sent = sum(payments.map((payment) => payment.sent));
  const reserved = sum(payments.filter((payment) => !isFinal(payment)).map((payment) => payment.debitAmount - payment.sent));
  expect(await spendableIn(read, accountId('customer', buyer.id))).toBe(OPENING - sent - reserved);
  expect(await spendableIn(read, accountId('customer', shop.id))).toBe(sent);
  const days = await daySums(read, '2026-01-01', 366, { timeZone: 'UTC', dayEndsAt: 0 });
  expect({ sent: sum(days.map((day) => day.sent)), received: sum(days.map((day) => day.received)) }).toEqual({ sent, received: sent });
}

describe('a payment between two accounts of this node', () => {
  it('is one transfer, held until its packet comes, and final then', async () => {
    const id = (await fund(700n)) ?? '';
    expect(await transfersOf(id)).toEqual(['payment 700 pending']);
    node.clock.advance(MINUTE_MS);
    expect(await send(0, 700n)).toBe(true);
    expect(await transfersOf(id)).toEqual(['payment 700 posted']);
    const [row] = await node.database.read.select().from(ledgerTransfers).where(eq(ledgerTransfers.id, id));
    expect([row?.createdAt, row?.number]).toEqual([node.clock.now(), expect.any(BigInt)]);
    await expectRightBooks();
  });

  it('goes through escrow when its first packet does not take everything', async () => {
    const id = (await fund(700n)) ?? '';
    expect(await send(0, 300n)).toBe(true);
    expect(await transfersOf(id)).toEqual(['payment 300 posted', 'reservation 700 posted']);
    expect(await send(0, 400n)).toBe(true);
    expect(await transfersOf(id)).toEqual(['payment 300 posted', 'payment 400 posted', 'reservation 700 posted']);
    await expectRightBooks();
  });

  it('gives its money back when nobody takes it, whole and once', async () => {
    const id = (await fund(700n)) ?? '';
    expect(await spendableIn(node.database.read, accountId('customer', buyer.id))).toBe(OPENING - 700n);
    await end(0);
    await end(0);
    expect(await transfersOf(id)).toEqual(['payment 700 voided']);
    expect(await send(0, 700n)).toBe(false);
    await expectRightBooks();
  });

  it('is paid from escrow when an earlier version has funded it', async () => {
    for (const amount of [700n, 200n]) await asFundedBefore((await fund(amount)) ?? '');
    expect(await transfersOf(made[0]?.id ?? '')).toEqual(['reservation 700 posted']);
    expect(await send(0, 700n)).toBe(true);
    await end(1);
    expect(await transfersOf(made[0]?.id ?? '')).toEqual(['payment 700 posted', 'reservation 700 posted']);
    expect(await transfersOf(made[1]?.id ?? '')).toEqual(['refund 200 posted', 'reservation 200 posted']);
    await expectRightBooks();
  });

  it('spends no money twice: what is held for one payment is not there for another', async () => {
    await fund(OPENING);
    expect(await fund(1n)).toBeUndefined();
    await end(0);
    expect(await fund(1n)).toBeDefined();
    await expectRightBooks();
  });
});

/** Changes behind the node's back, after which the row that holds a payment's money says something else. */
const CHANGED_ROWS = {
  'its money goes to somebody else': "update ledger_transfers set credit_account_id = 'customer:CAROL'",
  'its money comes from somebody else': "update ledger_transfers set debit_account_id = 'customer:CAROL'",
  'it is more money': 'update ledger_transfers set amount = amount + 1',
  'it is less money': 'update ledger_transfers set amount = amount - 1',
  'it has gone back already': "update ledger_transfers set state = 'voided'",
  'it has arrived already': "update ledger_transfers set state = 'posted'",
};

describe.each(Object.entries(CHANGED_ROWS))('when the row that holds a payment says that %s', (_, change) => {
  it('the audit notices it, and no packet moves that money', async () => {
    const carol = await node.account('carol', OPENING);
    // Carol has money of her own on hold.
    await node.test.tamper(`update ledger_accounts set pending = 700 where id = 'customer:${carol.id}'`);
    const id = (await fund(700n)) ?? '';
    expect((await checkOutgoing(node.database.read, '')).findings).toEqual([]);
    await node.test.tamper(`${change.replace('CAROL', carol.id)} where id = '${id}'`);
    expect((await checkOutgoing(node.database.read, '')).findings).toEqual([{ owner: buyer.id, finding: 'payment', place: id }]);
    const moved = await send(0, 700n).catch(() => false);
    expect(moved).toBe(false);
    expect(await node.outgoingPayments.find(id)).toMatchObject({ sent: 0n, delivered: 0n });
    expect(await spendableIn(node.database.read, accountId('customer', shop.id))).toBe(0n);
    expect(await spendableIn(node.database.read, accountId('customer', carol.id))).toBe(OPENING - 700n);
  });
});

it('a payment does not give back what is held for it when that is something else than it has not spent', async () => {
  const id = (await fund(700n)) ?? '';
  await node.test.tamper(`update ledger_transfers set amount = 900 where id = '${id}'`);
  await node.test.tamper(`update ledger_accounts set pending = 900 where id = 'customer:${buyer.id}'`);
  await expect(end(0)).rejects.toThrow();
  expect(await node.outgoingPayments.find(id)).toMatchObject({ state: 'funded' });
});

it('the audit notices a payment that has sent something else than its one transfer moved, and a transfer of another kind', async () => {
  const id = (await fund(700n)) ?? '';
  const findings = async () => (await checkOutgoing(node.database.read, '')).findings.length;
  await node.test.tamper(`update ledger_transfers set kind = '${GIVEN_BACK}' where state = 'pending'`);
  expect(await findings()).toBe(1);
  await node.test.tamper("update ledger_transfers set kind = 'payment' where state = 'pending'");
  await node.test.tamper('update outgoing_payments set sent = 300');
  expect(await findings()).toBe(1);
  await node.test.tamper('update outgoing_payments set sent = 0');
  expect(await send(0, 700n)).toBe(true);
  expect(await findings()).toBe(0);
  await node.test.tamper(`update outgoing_payments set sent = 300 where id = '${id}'`);
  expect(await findings()).toBe(1);
});

it('the audit notices that a payment through escrow went to somebody else than its receiver', async () => {
  const carol = await node.account('carol', OPENING);
  const id = (await fund(700n)) ?? '';
  for (const amount of [300n, 400n]) expect(await send(0, amount)).toBe(true);
  await node.test.tamper(`update ledger_transfers set credit_account_id = 'customer:${carol.id}' where amount = 400`);
  expect((await checkOutgoing(node.database.read, '')).findings).toEqual([{ owner: buyer.id, finding: 'payment', place: id }]);
});

it('a payment of an account to itself waits in escrow, because no transfer goes from an account to itself', async () => {
  const id = (await fund(700n, buyer)) ?? '';
  expect(await transfersOf(id)).toEqual(['reservation 700 posted']);
  expect(await send(0, 700n)).toBe(true);
  const { read } = node.database;
  expect(await spendableIn(read, accountId('customer', buyer.id))).toBe(OPENING);
  expect([...(await checkOutgoing(read, '')).findings, ...(await checkIncoming(read, '')).findings]).toEqual([]);
  expect(await brokenInvariants(read)).toEqual([]);
});

type Step =
  | { do: 'fund'; amount: bigint; isOld: boolean }
  | { do: 'send'; nth: number; amount: bigint }
  | { do: 'finish' | 'end' | 'close'; nth: number }
  | { do: 'wait'; minutes: number };

const nth = fc.nat(5);
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fund' as const), amount: fc.bigInt(1n, 4_000n), isOld: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('send' as const), nth, amount: fc.bigInt(1n, 2_000n) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('finish' as const, 'end' as const, 'close' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 40 }) }) },
);

/** Takes one step of a story. What it may not do is refused and changes nothing. */
async function take(step: Step): Promise<void> {
  if (step.do === 'wait') return node.clock.advance(step.minutes * MINUTE_MS);
  if (step.do === 'fund') {
    const id = await fund(step.amount);
    if (id !== undefined && step.isOld) await asFundedBefore(id);
    return;
  }
  const place = made.length === 0 ? 0 : step.nth % made.length;
  const one = made[place];
  if (one === undefined) return;
  const before = await node.outgoingPayments.find(one.id);
  if (before === undefined) throw new Error('no payment');
  const left = before.debitAmount - before.sent;
  const incoming = await node.incomingPayments.find(one.incomingPaymentId);
  const takes = (amount: bigint) => !isFinal(before) && incoming?.completed === false && amount > 0n && amount <= left;
  if (step.do === 'send') expect(await send(place, step.amount)).toBe(takes(step.amount));
  else if (step.do === 'finish') {
    if (left > 0n) expect(await send(place, left)).toBe(takes(left));
  } else if (step.do === 'close') await node.incomingPayments.complete(one.incomingPaymentId, null);
  else await end(place);
}

it('every unit is where the payments say, whatever is funded, sent, closed and given up, now or by an earlier version', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 20 }), async (story) => {
      await node.close();
      await open();
      for (const step of story) {
        await take(step);
        await expectRightBooks();
      }
      for (const place of made.keys()) await end(place);
      await expectRightBooks();
      const pending = await node.database.read.select().from(ledgerTransfers).where(eq(ledgerTransfers.state, 'pending'));
      expect(pending).toEqual([]);
    }),
    { numRuns: 10 },
  );
});
