import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createAccount } from '../support/clients/flows.ts';
import type { RunningNode } from '../support/nodes/running-node.ts';
import { ReferenceConnector } from '../support/other-nodes/reference-connector.ts';
import { ReferenceWallet } from '../support/other-nodes/reference-wallet.ts';

const HOUR_MS = 60 * 60_000;
const USD = { assetCode: 'USD', assetScale: 2 };
const EUR = { assetCode: 'EUR', assetScale: 2 };

/**
 * Two peers, one of them paused, rates both ways, one of them too old, and money to exchange with.
 * @returns the first peer's id.
 */
export async function meetNeighbours({ operator }: RunningNode): Promise<string> {
  const common = { routes: [], debtLimit: 50_000n, maxPacketAmount: null, deduplicates: true };
  const peer = async (name: string, asset: typeof USD, port: number, creditLimit: bigint) => {
    const address = { ilpAddress: `private.${name.split(' ')[0]?.toLowerCase() ?? ''}`, endpoint: `http://127.0.0.1:${port}/ilp` };
    const wanted = { requestId: randomUUID(), name, ...asset, ...address, ...common, creditLimit, outgoingToken: randomUUID() };
    return (await operator.peers.add(wanted)).peer.id;
  };
  const valley = await peer('Valley bank', USD, 9, 100_000n);
  const harbour = await peer('Harbour savings', EUR, 9, 0n);
  const settle = { requestId: randomUUID(), direction: 'received', amount: 24_000n, note: 'Transfer of 2 May' } as const;
  await operator.peers.settle({ id: valley, ...settle });
  await operator.peers.pause({ id: harbour });
  const rate = { spreadBps: 50, source: 'Valley bank', maxAgeSeconds: 86_400 };
  await operator.rates.set({ base: 'EUR', quote: 'USD', rate: '1.0842', ...rate, asOf: new Date(Date.now() - HOUR_MS) });
  await operator.rates.set({ base: 'USD', quote: 'EUR', rate: '0.9217', ...rate, asOf: new Date(Date.now() - 30 * HOUR_MS) });
  await operator.rates.fund({ requestId: randomUUID(), ...USD, amount: 120_000n, note: 'From the safe' });
  await operator.rates.fund({ requestId: randomUUID(), ...EUR, amount: 80_000n, note: '' });
  return valley;
}

/**
 * Makes the newest outgoing payment look as if the books had been put back from a copy while it was under way.
 * @returns its id.
 */
export function losePayment({ dataDir }: RunningNode): string {
  const database = new Database(join(dataDir, 'paydesk.db'));
  const { id } = database.prepare('select id from outgoing_payments order by created_at desc, id desc limit 1').get() as { id: string };
  const { receiver } = database.prepare('select receiver_id as receiver from outgoing_payments where id = ?').get(id) as {
    receiver: string;
  };
  const moved = "from ledger_transfers where payment_id = ? and kind = 'payment' and state = 'posted'";
  const transfers = database.prepare(`select debit_account_id as debit, credit_account_id as credit, amount ${moved}`).all(id);
  const add = database.prepare('update ledger_accounts set balance = balance + ? where id = ?');
  for (const { debit, credit, amount } of transfers as { debit: string; credit: string; amount: number }[]) {
    add.run(amount, debit);
    add.run(-amount, credit);
  }
  database.prepare(`delete ${moved}`).run(id);
  database
    .prepare('update incoming_payments set received = received - (select delivered from outgoing_payments where id = ?) where id = ?')
    .run(id, receiver);
  database.prepare("update outgoing_payments set state = 'unknown', sent = 0, delivered = 0 where id = ?").run(id);
  database.prepare("update events set type = 'outgoing_payment.unknown' where type = 'outgoing_payment.completed' and subject = ?").run(id);
  database.close();
  return id;
}

/** A peer that takes a payment's money and never answers. @returns its id, and a function that stops it. */
export async function meetSilent(node: RunningNode): Promise<{ peerId: string; close: () => Promise<void> }> {
  const { operator } = node;
  const token = randomUUID();
  const connector = await new ReferenceConnector({ ...USD, incomingToken: token }).listen();
  const wallet = await ReferenceWallet.start(connector);
  const close = async () => {
    await wallet.stop();
    await connector.close();
  };
  try {
    connector.accident = () => 'lost on the way';
    const { peer } = await operator.peers.add({
      ...{
        requestId: randomUUID(),
        name: 'Mountain bank',
        ...USD,
        ilpAddress: connector.ilpAddress,
        routes: [],
        endpoint: connector.endpoint,
      },
      ...{ creditLimit: 20_000n, debtLimit: 50_000n, maxPacketAmount: null, deduplicates: false, outgoingToken: token },
    });
    const { id: accountId } = await createAccount(node, 'wages', 90_000n);
    const quote = await operator.payments.quote({ requestId: randomUUID(), accountId, payee: wallet.createPayment().url, send: 4_500n });
    await operator.payments.pay({ requestId: randomUUID(), accountId, note: 'Saturday help', quoteId: quote.id });
    for (;;) {
      const { items: peers } = await operator.peers.list({});
      if (peers.some(({ id, lastProblem }) => id === peer.id && lastProblem !== null)) return { peerId: peer.id, close };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } catch (error) {
    await close();
    throw error;
  }
}
