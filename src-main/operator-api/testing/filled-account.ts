import { randomUUID } from 'node:crypto';
import { findIncomingPayment, receive } from '../../payments/incoming/incoming-payments.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import type { Client, Desk } from './desk.ts';

/** What lies in one account, so that a test can look for it. */
export interface Things {
  account: WalletAddress;
  /** A request of the till for which somebody unknown has paid. */
  paid: string;
  /** A request that nobody has paid yet. */
  open: string;
  /** A payment out of the account. */
  sent: string;
  claim: string;
}

/** Fills an account with one of everything. Its name is in the words of all of it. */
export async function fill(desk: Desk, owner: Client, name: string, payTo: string): Promise<Things> {
  const account = await desk.account(name, 50_000n);
  const asked = { accountId: account.id, madeAt: 'till' as const, amount: 1_000n, description: `for ${name}`, reference: `R-${name}` };
  const paid = (await owner.requests.create({ ...asked, requestId: randomUUID() })).id;
  await desk.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, paid);
    if (payment !== undefined) await receive(tx, payment, 1_000n, desk.clock.now());
  });
  desk.clock.advance(1_000);
  const open = (await owner.requests.create({ ...asked, requestId: randomUUID() })).id;
  await owner.accounts.deposit({ id: account.id, requestId: randomUUID(), amount: 77n, note: `cash of ${name}` });
  const { id: quoteId } = await owner.payments.quote({
    ...{ requestId: randomUUID(), accountId: account.id, payee: payTo, send: 10n, note: `spent by ${name}` },
  });
  const { id: sent } = await owner.payments.pay({ requestId: randomUUID(), accountId: account.id, quoteId });
  await desk.finished(sent);
  const { id: claim } = await owner.claims.make({ requestId: randomUUID(), paymentId: paid, amount: 5n, reason: `back from ${name}` });
  await owner.receipts.issue({ kind: 'sale', id: paid });
  return { account, paid, open, sent, claim };
}

/** Makes payment requests with these ids, into some account. */
export async function makeRequests(desk: Desk, ids: readonly string[]): Promise<void> {
  const walletAddress = await desk.account('asks', 0n);
  for (const id of ids) await desk.incomingPayments.create({ id, walletAddress, client: null });
}
