import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { contradictions, readBooks, unfinished } from '../support/books/books.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../support/clients/flows.ts';
import { type PreparedRequest, prepare, transmit } from '../support/clients/raw-client.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { seeded } from '../support/seeded.ts';

const KILLS = Number(process.env.PAYDESK_TEST_KILLS ?? 10);
const PAYERS = 8;
const AMOUNT = 500n;
// Payments of 500 in packets of at most 100: a kill finds them before, between and after their packets.
const FLAGS = ['--max-packet-amount', '100', '--token-lifetime', '86400', '--log-level', 'error'];
const FAIL_POINTS = ['before-commit', 'after-commit', 'before-fulfil', 'after-fulfil'] as const;
const OPENING = 1_000_000_000n;

/** Who is paid in which currency, and what a payment of {@link AMOUNT} brings there. */
const SCENES = [
  { currency: 'USD', brings: AMOUNT, kills: KILLS },
  // By 0.9137 and rounded once, although it is cut into packets that bring 91.37 each.
  { currency: 'EUR', brings: 456n, kills: Math.ceil(KILLS * 0.6) },
];

let dataDir: string;
let client: ClientWallet;
let node: RunningNode;
beforeAll(async () => {
  client = await ClientWallet.start();
});
afterAll(() => client.stop());
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'paydesk-kill-'));
});
afterEach(async () => {
  await node.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it.each(SCENES)(
  'a node that is killed $kills times loses, doubles and strands no payment from USD into $currency',
  async ({ currency, brings, kills }) => {
    const random = seeded(20_261_120);
    node = await RunningNode.start({ dataDir, flags: FLAGS });
    const [shop, buyer] = [await createAccount(node, 'shop', 0n, currency), await createAccount(node, 'buyer', OPENING)];
    if (currency !== 'USD') await tradeInto(currency);
    const receiving = await receivingToken(node, client);
    const { value: spending } = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('900000000') });
    const { publicUrl } = node;
    const address = ['--listen', new URL(publicUrl).host];

    /** The id of every payment that the node has acknowledged, by intention: one payment for each. */
    const journal = new Map<number, string>();
    /** Requests whose answer never came, to be sent again as they were. */
    const unanswered = new Map<number, PreparedRequest>();
    let intentions = 0;

    const acknowledge = (intention: number, text: string) => {
      const { id } = JSON.parse(text) as { id: string };
      const before = journal.get(intention);
      if (before !== undefined && before !== id) throw new Error(`intention ${intention} was paid twice: ${before} and ${id}`);
      journal.set(intention, id);
      unanswered.delete(intention);
    };
    const pay = async (intention: number, request: PreparedRequest) => {
      unanswered.set(intention, request);
      const answer = await transmit(request);
      if (answer.status !== 201) throw new Error(`a payment was refused: ${answer.status} ${answer.text}`);
      acknowledge(intention, answer.text);
    };
    /** One client that keeps paying until the node is gone. */
    const payer = async () => {
      while (node.isRunning) {
        try {
          const asked = { walletAddress: shop.walletAddress, incomingAmount: { ...usd(brings.toString()), assetCode: currency } };
          const invoice = await transmit(prepare(client, 'POST', `${publicUrl}/incoming-payments`, receiving, asked));
          const { id: incomingPayment } = JSON.parse(invoice.text) as { id: string };
          intentions += 1;
          const body = {
            walletAddress: buyer.walletAddress,
            incomingPayment,
            debitAmount: usd(AMOUNT.toString()),
            metadata: { intention: intentions },
          };
          await pay(intentions, prepare(client, 'POST', `${publicUrl}/outgoing-payments`, spending, body));
        } catch (error) {
          // An error with a code comes from the network: the node is dead or dying.
          if (error instanceof Error && 'code' in error) return;
          throw error;
        }
      }
    };

    let counted = 0;
    const hits = { random: 0, 'before-commit': 0, 'after-commit': 0, 'before-fulfil': 0, 'after-fulfil': 0 };
    await node.stop();
    // A kill counts when it finds an unfinished payment. Chance decides which do, so each point is tried until it has.
    for (let round = 0; counted < kills || FAIL_POINTS.some((point) => hits[point] === 0); round += 1) {
      if (round > kills * 4) throw new Error(`only ${counted} of ${round} kills hit an unfinished payment`);
      const point = FAIL_POINTS[round % (FAIL_POINTS.length + 1)];
      const env: Record<string, string> = point === undefined ? {} : { PAYDESK_FAIL_POINT: `${point}:${1 + Math.floor(random() * 60)}` };
      node = await RunningNode.start({ dataDir, flags: [...FLAGS, ...address], env }).catch(async (error: unknown) => {
        // The node can reach a fail point while it takes up unfinished payments, before it is ready.
        if (point === undefined) throw error;
        return await RunningNode.start({ dataDir, flags: [...FLAGS, ...address] });
      });
      const repeats = [...unanswered].map(([intention, request]) => pay(intention, request).catch(ignoreNetwork));
      const paying = Array.from({ length: PAYERS }, payer);
      if (point === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 20 + random() * 150));
        await node.kill();
      } else {
        await Promise.race([node.exited(), new Promise((resolve) => setTimeout(resolve, 3_000))]);
        await node.kill();
      }
      await Promise.all([...repeats, ...paying]);
      if (readBooks(node, unfinished) === 0) continue;
      counted += 1;
      hits[point ?? 'random'] += 1;
    }

    node = await RunningNode.start({ dataDir, flags: [...FLAGS, ...address] });
    for (const [intention, request] of unanswered) await pay(intention, request);
    await expect.poll(() => readBooks(node, unfinished), { interval: 50 }).toBe(0);

    readBooks(node, (database) => {
      expect(contradictions(database)).toEqual([]);
      const rows = database.prepare('select id, state, sent, delivered, metadata from outgoing_payments').all() as {
        id: string;
        state: string;
        sent: bigint;
        delivered: bigint;
        metadata: string;
      }[];
      const stored = new Map(rows.map((row) => [`${publicUrl}/outgoing-payments/${row.id}`, row]));
      expect([...journal.values()].filter((id) => !stored.has(id))).toEqual([]);
      expect(new Set(rows.map((row) => row.metadata)).size).toBe(rows.length);
      expect(rows.filter((row) => row.state !== 'completed')).toEqual([]);
      const sent = rows.reduce((sum, row) => sum + row.sent, 0n);
      const delivered = rows.reduce((sum, row) => sum + row.delivered, 0n);
      const balance = database.prepare('select balance from ledger_accounts where id = ?').pluck();
      expect(balance.get(`customer:${buyer.id}`)).toBe(OPENING - sent);
      expect(balance.get(`customer:${shop.id}`)).toBe(delivered);
      expect([sent, delivered]).toEqual([AMOUNT * BigInt(rows.length), brings * BigInt(rows.length)]);
      expect(rows.length).toBeGreaterThan(kills);
    });
    console.log(`kills: ${counted} counted ${JSON.stringify(hits)}, payments: ${journal.size}`);
  },
  Math.max(600_000, KILLS * 60_000),
);

/** A rate from the payer's currency, and enough of the other to pay out. */
async function tradeInto(currency: string): Promise<void> {
  const { rates } = node.operator;
  const rate = { base: 'USD', quote: currency, rate: '0.9137', spreadBps: 0, source: 'test', asOf: new Date(), maxAgeSeconds: 86_400 };
  await rates.set(rate);
  await rates.fund({ requestId: randomUUID(), assetCode: currency, assetScale: 2, amount: OPENING, note: '' });
}

function ignoreNetwork(error: unknown): void {
  if (!(error instanceof Error && 'code' in error)) throw error;
}
