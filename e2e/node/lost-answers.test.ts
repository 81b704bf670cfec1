import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OutgoingPayment } from '../../src-main/payments/outgoing/outgoing-payment-rows.ts';
import type { BytesAnswer, BytesProblem, JsonAnswer } from '../../src-main/platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../../src-main/platform/result.ts';
import type { WalletAddress } from '../../src-main/wallet-addresses/wallet-addresses.ts';
import { SimulatedClock } from '../simulator/clocks.ts';
import { SimulatedDisk } from '../simulator/disks.ts';
import { SimulatedNode } from '../simulator/simulated-node.ts';
import { VirtualTime } from '../simulator/virtual-time.ts';
import { contradictions, readBooks } from '../support/books/books.ts';
import { type Accident, ReferenceConnector, type ReferencePayment } from '../support/other-nodes/reference-connector.ts';
import { Dice } from '../support/seeded.ts';

// A node loses the answers of a peer that recognises no repeated packet, and dies meanwhile. Nothing may be sent twice;
// what the receiver's own count shows is booked, and what nobody can tell is left to the operator. Time is made up:
// such answers are waited for for a minute.

const USD = { assetCode: 'USD', assetScale: 2 };
const OPENING = 1_000_000n;
const WALLET = 'http://reference.example';

let folder: string;
let time: VirtualTime;
let reference: ReferenceConnector;
let node: SimulatedNode;
let payer: WalletAddress;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-lost-answers-'));
  time = new VirtualTime(Date.UTC(2026, 0, 1));
  time.install();
  reference = new ReferenceConnector({ ...USD, incomingToken: 'unread', now: () => time.now() });
  node = new SimulatedNode({
    ...{ name: 'shop', folder, clock: new SimulatedClock(time, 0), maxPacketAmount: 1_000_000n },
    disk: new SimulatedDisk(time, new Dice(1)),
    onStopped: (stopped) => stopped.crash(),
    peerHttp: { mayAsk: () => true, postBytes: (_url, { body }) => handOver(body) },
    http: {
      getJson: async (url) => show(url),
      requestJson: async (method, url) => (method === 'POST' ? grant(url) : show(url)),
      close: () => undefined,
    },
  });
  await node.start();
  const { walletAddresses, peers } = node.services;
  const made = await walletAddresses.create({
    id: crypto.randomUUID(),
    name: 'payer',
    publicName: 'Payer',
    ...USD,
    openingBalance: OPENING,
  });
  if (!made.ok) throw new Error(made.error);
  payer = made.value;
  await peers.operator.registry.add({
    ...{ id: crypto.randomUUID(), name: 'Reference', ...USD, ilpAddress: reference.ilpAddress, routes: [], endpoint: `${WALLET}/` },
    ...{ creditLimit: 0n, debtLimit: null, maxPacketAmount: null, deduplicates: false, outgoingToken: 'sixteen-letters-and-more' },
  });
});
afterEach(async () => {
  expect(readBooks(node, contradictions)).toEqual([]);
  await node.stop();
  time.uninstall();
  rmSync(folder, { recursive: true, force: true });
});

async function handOver(body: Buffer): Promise<Result<BytesAnswer, BytesProblem>> {
  const reply = await reference.handle(body);
  return reply === undefined ? refuse({ problem: 'unreachable', sent: true }) : ok({ status: 200, body: reply });
}

/** Gives everybody the right to read. */
function grant(url: string): Result<JsonAnswer, never> {
  return ok({ status: 200, url, body: { access_token: { value: 'a-token', manage: `${WALLET}/auth/token/1`, expires_in: 86_400 } } });
}

/** The incoming payment as its wallet shows it. */
function show(url: string): Result<JsonAnswer, 'unreachable'> {
  const payment = reference.payments.get(url.slice(url.lastIndexOf('/') + 1));
  if (payment === undefined) return refuse('unreachable');
  const { ilpAddress, sharedSecret, completed, received } = payment;
  const body = {
    ...{ id: url, walletAddress: `${WALLET}/alice`, authServer: `${WALLET}/auth`, completed },
    receivedAmount: { value: received.toString(), ...USD },
    methods: completed ? [] : [{ type: 'ilp', ilpAddress, sharedSecret: sharedSecret.toString('base64url') }],
  };
  return ok({ status: 200, url, body });
}

/** Lets time pass, and waits for everything that it causes. */
async function pass(ms: number): Promise<void> {
  const until = time.now() + ms;
  while (time.now() < until) {
    time.step(until);
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

async function pay(amount: bigint, accidents: Accident[]): Promise<{ id: string; receiver: ReferencePayment }> {
  const id = crypto.randomUUID();
  const receiver = reference.createPayment(id);
  const left = [...accidents];
  reference.accident = ({ destination }) => (destination === receiver.ilpAddress ? left.shift() : undefined);
  const made = await node.services.outgoingPayments.createFromIncomingPayment({
    ...{ walletAddress: payer, right: null, incomingPayment: `${WALLET}/incoming-payments/${id}`, debitAmount: { value: amount, ...USD } },
  });
  if (!made.ok) throw new Error(made.error.code);
  await pass(100);
  return { id: made.value.id, receiver };
}

const find = async (id: string): Promise<OutgoingPayment> => {
  const payment = await node.services.outgoingPayments.find(id);
  if (payment === undefined) throw new Error('the payment is gone');
  return payment;
};
const packetsFor = (receiver: ReferencePayment) =>
  reference.arrived.filter(({ amount, destination }) => amount !== '0' && destination === receiver.ilpAddress);

const balance = (account: string): bigint =>
  readBooks(node, (books) => books.prepare<[string], bigint>('select balance from ledger_accounts where id = ?').pluck().get(account)) ??
  0n;

for (const crashes of [false, true]) {
  const how = crashes ? ', through a crash' : '';

  it(`the node books what the receiver shows to have arrived, without sending it again${how}`, async () => {
    const { id, receiver } = await pay(700n, ['answer lost']);
    expect(await find(id)).toMatchObject({ sent: 0n, held: 700n });
    if (crashes) await crash();
    await pass(20_000);
    // Its money is neither spent nor back while the packet might still be on its way.
    expect(await find(id)).toMatchObject({ sent: 0n, held: 700n });
    await pass(60_000);
    expect(await find(id)).toMatchObject({ state: 'completed', sent: 700n, delivered: 700n, held: 0n });
    expect(packetsFor(receiver)).toHaveLength(1);
    expect(receiver.received).toBe(700n);
    expect(balance(`customer:${payer.id}`)).toBe(OPENING - 700n);
  });

  it(`the node sends again, as another packet, what the receiver shows never to have arrived${how}`, async () => {
    const { id, receiver } = await pay(700n, ['lost on the way']);
    if (crashes) await crash();
    await pass(120_000);
    expect(await find(id)).toMatchObject({ state: 'completed', sent: 700n, held: 0n });
    const conditions = packetsFor(receiver).map(({ executionCondition }) => executionCondition.toString('hex'));
    expect(new Set(conditions).size).toBe(2);
    expect(conditions).toHaveLength(2);
    expect(receiver.received).toBe(700n);
  });

  for (const outcome of ['arrived', 'not_arrived'] as const) {
    it(`the node leaves what nobody can tell to the operator, who says ${outcome}${how}`, async () => {
      const { id, receiver } = await pay(700n, [outcome === 'arrived' ? 'answer lost' : 'lost on the way']);
      // Somebody else has paid the same receiver meanwhile, so its count fits both outcomes.
      receiver.received += outcome === 'arrived' ? 100n : 800n;
      if (crashes) await crash();
      await pass(120_000);
      expect(await find(id)).toMatchObject({ state: 'unknown', sent: 0n, held: 700n });
      await pass(600_000);
      expect(await find(id)).toMatchObject({ state: 'unknown', held: 700n });
      expect(packetsFor(receiver)).toHaveLength(1);
      expect(await node.services.unknownPayments.resolve(id, outcome)).toMatchObject({ ok: true });
      const spent = outcome === 'arrived' ? 700n : 0n;
      expect(await find(id)).toMatchObject({ state: outcome === 'arrived' ? 'completed' : 'failed', sent: spent, held: 0n });
      expect(balance(`customer:${payer.id}`)).toBe(OPENING - spent);
      await pass(60_000);
      expect(packetsFor(receiver)).toHaveLength(1);
    });
  }
}

async function crash(): Promise<void> {
  node.crash();
  await node.start();
  await pass(100);
}
