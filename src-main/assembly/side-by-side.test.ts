import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rememberNonces, touchedByMarks } from '../access/clients/repetitions.ts';
import { accessTokens, grants } from '../access/tables.ts';
import { Act, actAs } from '../journal/acting.ts';
import { findPeerAccount } from '../ledger/peer-accounts.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { createPeerAcceptance } from '../payments/incoming/peer-money.ts';
import { giveUp } from '../payments/outgoing/endings.ts';
import { createLocalAcceptance } from '../payments/outgoing/local-money.ts';
import { claimPayment } from '../payments/outgoing/payment-worker.ts';
import { createPacketBook } from '../payments/outgoing/sent-packets.ts';
import { outgoingPayments } from '../payments/tables.ts';
import { ORIGIN, openPayments, type Payments } from '../payments/testing/payments.ts';
import type { PeerPacket } from '../peers/received-packets.ts';
import { peers } from '../peers/tables.ts';
import { newPeer, openTestPeers } from '../peers/testing/peers.ts';
import { GatheredWrites } from '../platform/database/postgres/testing/gathered-writes.ts';
import { SideBySideChecker } from '../platform/database/postgres/testing/side-by-side-checker.ts';
import { hasPostgres } from '../platform/database/testing/postgres-databases.ts';
import { openPostgresTest } from '../platform/database/testing/postgres-test.ts';
import { Seal } from '../platform/secrets/seal.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';

// The real writes of payments, in batches, on PostgreSQL. The checker tries each batch in every order and in mixed
// orders of its statements.

const USD = { assetCode: 'USD', assetScale: 2 };
const CLIENT = 'https://shop.example/till';
const QUARTER_MS = 15 * 60_000;
const usd = (value: bigint) => ({ value, ...USD });

/** Each id is made outside the writes, except those of transfers. Places tell only who came first. */
const checker = () =>
  new SideBySideChecker({
    seeds: [1, 2, 3],
    ignoring: { events: ['position'], ledger_transfers: ['id', 'number'], activities: ['number', 'hash'], activity_head: ['hash'] },
  });

let check: SideBySideChecker;
let gathered: GatheredWrites;
let node: Payments;
let payers: WalletAddress[];
let shops: WalletAddress[];
let grantIds: string[];
let peer: Pick<PeerPacket, 'peerId' | 'tokenHash'>;
/** Payments that wait for money, quotes, and payments that are being sent. */
let asked: string[];
let quoted: { id: string; payer: WalletAddress }[];
let sending: string[];
/** The conditions of packets that are under way to a peer, one for each payment that is being sent. */
let underWay: Buffer[];

beforeEach(async ({ skip }) => {
  skip(!hasPostgres);
  check = checker();
  const test = openPostgresTest({ rehearse: check.rehearsal });
  gathered = new GatheredWrites(test.database);
  node = openPayments({ testDatabase: { ...test, database: gathered.database } });
  await node.worker.stop();
  payers = [await node.account('alice', 20_000n), await node.account('bob', 10_000n)];
  shops = [await node.account('shop', 0n), await node.account('till', 0n)];
  const peerId = randomUUID();
  await openTestPeers(node).registry.add(newPeer({ id: peerId, creditLimit: 1_000_000n }));
  const [row] = await node.database.read.select().from(peers);
  peer = { peerId, tokenHash: row?.incomingTokenHash ?? '' };
  grantIds = [await grant(), await grant()];
  [asked, quoted, sending, underWay] = [[], [], [], []];
});
afterEach(async () => {
  expect(await brokenInvariants(node.database.read)).toEqual([]);
  await node.close();
});

async function grant(): Promise<string> {
  const [id, createdAt] = [randomUUID(), node.clock.now()];
  await node.database.write(async (tx) => {
    const hashes = { continuationId: randomUUID(), continuationHash: randomUUID() };
    const client = { clientKind: 'wallet-address' as const, clientId: CLIENT, requested: [], granted: [] };
    const rest = { interactive: false, endpoint: `${ORIGIN}/auth`, wrongCodes: 0, createdAt };
    await tx.insert(grants).values({ id, state: 'issued', ...client, ...hashes, ...rest });
    const token = { tokenHash: randomUUID(), state: 'active' as const, awaitsRotation: false };
    await tx.insert(accessTokens).values({ id: randomUUID(), grantId: id, ...token, createdAt, expiresAt: createdAt + 10 ** 10 });
  });
  return id;
}

const DOES = [
  'ask',
  'quote',
  'pay',
  'pay at once',
  'send',
  'bring',
  'give up',
  'complete',
  'complete as operator',
  'nonce',
  'claim',
  'hold',
  'fulfil',
  'reject',
] as const;
const action = fc.record({
  does: fc.constantFrom(...DOES),
  one: fc.nat(3),
  other: fc.nat(1),
  amount: fc.bigInt(1n, 60n),
  /** Two requests with the same mark are copies of each other. */
  mark: fc.constantFrom('a', 'b', 'c'),
});
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
/** Pairs that have one thing in common. Chance brings them together too seldom. */
const PAIRS: [Partial<Action>, Partial<Action>][] = [
  [{ does: 'ask' }, { does: 'ask' }],
  [{ does: 'quote' }, { does: 'quote', one: 1 }],
  [{ does: 'pay' }, { does: 'pay', one: 1, mark: 'b' }],
  [{ does: 'pay' }, { does: 'pay', other: 1, mark: 'b' }],
  [{ does: 'send' }, { does: 'give up' }],
  [{ does: 'bring' }, { does: 'bring', one: 1 }],
  [{ does: 'complete as operator' }, { does: 'complete as operator', one: 1 }],
  [{ does: 'nonce' }, { does: 'nonce' }],
  [{ does: 'claim' }, { does: 'give up' }],
  [{ does: 'claim' }, { does: 'hold' }],
  [{ does: 'hold' }, { does: 'hold' }],
  [{ does: 'hold' }, { does: 'hold', one: 1 }],
  [{ does: 'hold' }, { does: 'bring', one: 1 }],
  [{ does: 'hold' }, { does: 'give up' }],
  [{ does: 'fulfil' }, { does: 'fulfil' }],
  [{ does: 'fulfil' }, { does: 'reject', one: 1 }],
  [{ does: 'fulfil' }, { does: 'send' }],
  [{ does: 'fulfil' }, { does: 'reject' }],
  [{ does: 'fulfil' }, { does: 'hold', one: 1 }],
];
const examples: [Action[]][] = PAIRS.map((pair) => [
  pair.map((given) => ({ does: 'ask', one: 0, other: 0, amount: 20n, mark: 'a', ...given })),
]);
const nth = <T>(of: readonly T[], index: number): T => of[index % of.length] ?? expect.fail('nothing there');

/** What a caller does. `batch` makes marks that no other batch has. */
async function carryOut({ does, one, other, amount, mark }: Action, batch: number): Promise<unknown> {
  const { clock } = node;
  const marks = [`${batch}${mark}`];
  const right = { client: CLIENT, grantId: nth(grantIds, other), limits: { debitAmount: usd(400n) } };
  const receiver = `${ORIGIN}/incoming-payments/${nth(asked, one)}`;
  if (does === 'ask') return await node.incomingPayments.create({ walletAddress: nth(shops, other), client: CLIENT, marks });
  if (does === 'quote')
    return await node.quotes.create({ walletAddress: nth(payers, other), client: CLIENT, receiver, debitAmount: usd(amount), marks });
  if (does === 'pay') {
    const { id, payer } = nth(quoted, one);
    return await node.outgoingPayments.createFromQuote({ walletAddress: payer, right, quoteId: id, marks });
  }
  if (does === 'pay at once')
    return await node.outgoingPayments.createFromIncomingPayment({
      ...{ walletAddress: nth(payers, other), right, incomingPayment: receiver, debitAmount: usd(amount), marks },
    });
  if (does === 'send') return await send(nth(sending, one), amount);
  if (does === 'claim') return await claimPayment(node.database, { id: nth(sending, one), now: clock.now(), holder: 'here' });
  if (does === 'hold') return await hold(nth(sending, one), amount, randomBytes(32));
  if (does === 'fulfil') return await book().fulfilled(nth(underWay, one), undefined);
  if (does === 'reject') return await book().rejected(nth(underWay, one), 'T04');
  if (does === 'bring') return await bring(nth(asked, one), amount, `${batch}${mark}`);
  if (does === 'give up') {
    const payment = (await node.outgoingPayments.find(nth(sending, one))) ?? expect.fail('no payment');
    return await giveUp(node.database, payment, 'out_of_time', clock.now());
  }
  if (does === 'complete') return await node.incomingPayments.complete(nth(asked, one), CLIENT);
  if (does === 'complete as operator')
    return await actAs(new Act('payments.complete', 'incoming_payment.completed'), () =>
      node.incomingPayments.complete(nth(asked, one), null),
    );
  return await node.database.write((tx) => rememberNonces(tx, marks), touchedByMarks(marks));
}

/** Sends a part of a payment, or all that is left of it. */
async function send(id: string, part: bigint): Promise<unknown> {
  const payment = (await node.outgoingPayments.find(id)) ?? expect.fail('no payment');
  const left = payment.debitAmount - payment.sent;
  const amount = part < left ? part : left;
  return await createLocalAcceptance(node)({
    ...{ condition: randomBytes(32), sourceAmount: amount, amount, sourceAsset: USD, asset: USD },
    incomingPaymentId: payment.receiverId ?? expect.fail('no receiver'),
    sender: { outgoingPaymentId: id, attempt: payment.attempt },
  });
}

const book = () => createPacketBook({ ...node, seal: new Seal(Buffer.alloc(32, 2)) });

/** Sets a packet to the peer aside. */
const hold = (id: string, amount: bigint, condition: Buffer): Promise<unknown> =>
  book().hold({
    ...{ condition, peerId: peer.peerId, sender: { outgoingPaymentId: id, attempt: 1 }, prepare: Buffer.from('packet') },
    ...{ sourceAmount: amount, sourceAsset: USD, peerAmount: amount, peerAsset: USD, expiresAt: node.clock.now() + 30_000 },
    sharedSecret: undefined,
  });

/** Lets the node owe the peer so much more, which is less than some packets of a batch bring it together. */
async function allowOwing(more: bigint): Promise<void> {
  const position = (await findPeerAccount(node.database.read, peer.peerId))?.position ?? expect.fail('no account');
  const [row] = await node.database.read.select().from(peers);
  const debtLimit = position + (row?.inFlight ?? 0n) + more;
  await node.database.write((tx) => tx.update(peers).set({ debtLimit: debtLimit < 0n ? 0n : debtLimit }));
}

const bring = (incomingPaymentId: string, amount: bigint, condition: string): Promise<unknown> =>
  createPeerAcceptance(node)({
    ...{ ...peer, formerPeerIds: [], incomingPaymentId, sourceAmount: amount, sourceAsset: USD, amount, asset: USD },
    ...{ condition, expiresAt: node.clock.now() + 1_000, reply: Buffer.from('fulfil') },
  });

/** Makes what the callers of a batch work on: two receivers, two quotes and two payments that are being sent. */
async function prepare(): Promise<void> {
  [asked, quoted, sending] = [[], [], []];
  for (const index of [0, 1]) {
    const payer = nth(payers, index);
    const incoming = await node.incomingPayments.create({ walletAddress: nth(shops, index), client: CLIENT, incomingAmount: usd(90n) });
    if (!incoming.ok) throw new Error(incoming.error);
    asked.push(incoming.value.id);
    const receiver = `${ORIGIN}/incoming-payments/${incoming.value.id}`;
    const quote = await node.quotes.create({ walletAddress: payer, client: CLIENT, receiver, debitAmount: usd(40n) });
    if (!quote.ok) throw new Error(quote.error.code);
    quoted.push({ id: quote.value.id, payer });
    const paid = await node.outgoingPayments.createFromIncomingPayment({
      ...{ walletAddress: payer, right: null, incomingPayment: receiver, debitAmount: usd(40n) },
    });
    if (!paid.ok) throw new Error(paid.error.code);
    sending.push(paid.value.id);
  }
  await node.database.write((tx) => tx.update(outgoingPayments).set({ state: 'sending', attempt: 1 }));
  for (const id of sending) await send(id, 10n);
  underWay = [randomBytes(32), randomBytes(32)];
  await allowOwing(70n);
  for (const [index, id] of sending.entries()) expect(await hold(id, 5n, nth(underWay, index))).toMatchObject({ ok: true });
}

it('writes of payments that run side by side end as in some order of them, and read nothing of others without a common word', async () => {
  const actions = fc.array(action, { minLength: 2, maxLength: 4 });
  let batch = 0;
  await fc.assert(
    fc.asyncProperty(actions, async (all) => {
      batch += 1;
      // Movements of the batches before have stopped growing, and wait for their numbers.
      node.clock.advance(QUARTER_MS);
      await prepare();
      await gathered.all(all.map((one) => () => carryOut(one, batch)));
      expect(check.findings).toEqual([]);
    }),
    { numRuns: 30, seed: 14, examples },
  );
  expect(check.checked.interleavings).toBeGreaterThanOrEqual(30);
}, 120_000);
