import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from '../../../src-shared/zod.ts';
import { rateOf } from '../../exchange/testing/rates.ts';
import { actAs } from '../../journal/acting.ts';
import { actNamed } from '../../operator-api/operator-acts.ts';
import { findOutgoingPayment, isFinal } from '../../payments/outgoing/outgoing-payment-rows.ts';
import { newPeer } from '../../peers/testing/peers.ts';
import type { Result } from '../../platform/result.ts';
import { CAROL, usd } from './error-cases.ts';
import { startGrant } from './grant-steps.ts';
import { openTestNode, type TestNode } from './test-node.ts';

const Created = z.object({ id: z.string() });

/**
 * Makes a database with a little of everything that a node stores, and writes a compressed copy of it to `file`.
 * @throws when `file` exists.
 */
export async function writeFixture(file: string): Promise<void> {
  const node = await openTestNode();
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-fixture-'));
  try {
    await useNode(node);
    const copy = join(folder, 'paydesk.db');
    // The copy is one file, without a write-ahead log.
    await node.test.tamper('VACUUM INTO ?', copy);
    writeFileSync(file, gzipSync(readFileSync(copy), { level: 9 }), { flag: 'wx' });
  } finally {
    await node.close();
    rmSync(folder, { recursive: true });
  }
}

/** Does what an operator and an app do in the first days of a node. */
async function useNode(node: TestNode): Promise<void> {
  const { walletAddresses, exchangeAccounts, rates, peers, operatorPayments } = node.payments;
  const { alice, bob } = node.accounts;
  const cash = { kind: 'deposit', note: 'Cash' } as const;
  await act('accounts.deposit', () => walletAddresses.move({ ...cash, id: randomUUID(), walletAddressId: bob.id, amount: 500n }));
  await act('rates.set', () => rates.set(rateOf('USD', 'EUR', '0.9137', node.clock.now(), { spreadBps: 50 })));
  const euros = { assetCode: 'EUR', assetScale: 2 };
  await act('rates.fund', () => exchangeAccounts.move({ ...cash, id: randomUUID(), asset: euros, amount: 7_000n }));
  const peer = newPeer({ id: randomUUID(), creditLimit: 9_000n });
  await act('peers.add', () => peers.operator.registry.add(peer));
  const settlement = { id: randomUUID(), peerId: peer.id, direction: 'received', amount: 300n, note: 'Bank' } as const;
  await act('peers.settle', () => peers.operator.settle(settlement));

  const payee = await incomingPayment(node);
  const quote = () => operatorPayments.quote({ requestId: randomUUID(), from: alice, payee });
  const [{ id: quoteId }] = [succeeded(await quote()), succeeded(await quote())];
  const { id } = await act('payments.pay', () => operatorPayments.pay({ requestId: randomUUID(), from: alice, quoteId, note: 'Roses' }));
  for (;;) {
    const payment = await findOutgoingPayment(node.database.read, id);
    if (payment !== undefined && isFinal(payment)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Lets the shop ask for a grant, and for 12.50 USD with its token. @returns the URL of the incoming payment. */
async function incomingPayment(node: TestNode): Promise<string> {
  const access = [{ type: 'incoming-payment', actions: ['create', 'read'] }];
  const { token } = await startGrant(node, { access_token: { access } });
  const body = { walletAddress: CAROL, incomingAmount: usd('1250'), metadata: { description: 'Roses' } };
  const answer = await node.call({ method: 'POST', path: '/incoming-payments', token: token?.token, body });
  return Created.parse(answer.body).id;
}

/** Does something as the operator, so that the activity log tells of it. */
async function act<T>(operation: string, work: () => Promise<Result<T, unknown>>): Promise<T> {
  const named = actNamed(operation);
  if (named === undefined) throw new Error(`there is no operation ${operation}`);
  return succeeded(await actAs(named, work));
}

function succeeded<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
