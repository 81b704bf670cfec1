import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, finishSpending, readCode, requestSpending, usd } from '../support/clients/flows.ts';
import { openConsoleLink } from '../support/pages/console-session.ts';
import { flower } from './logo.ts';
import type { Scene } from './scene.ts';

const TAX = { id: 'reduced', name: 'Reduced', rate: 5_500 };
const USD = { assetCode: 'USD', assetScale: 2 };

/** What happens at the counter of the shop: ids and addresses of it. */
export interface Counter {
  /** Sales that wait, of which one was paid in part, one was tried in vain, and one was paid. */
  waiting: string;
  partly: string;
  tried: string;
  paid: string;
  /** A payment whose payer is known, and one of which nobody knows who paid. */
  known: string;
  unknown: string;
  /** A payment with a claim link. */
  claimed: string;
  claimUrl: string;
  receiptUrl: string;
  tillId: string;
  /** A request that the shop has cancelled. */
  cancelledUrl: string;
}

/** A shop with products, people and tills, where something was sold, given back, and closed. */
export async function openCounter({ node, shopId, approvalId }: Scene): Promise<Counter> {
  const { operator } = node;
  await furnish(node.operator);
  const client = await ClientWallet.start('Pocket wallet');
  try {
    const buyer = await createAccount(node, 'buyer', 90_000n);
    const asked = await requestSpending(node, client, buyer.walletAddress, { debitAmount: usd('90000') });
    const code = await readCode(client, asked);
    const request = (await operator.approvals.list()).find(({ id }) => id !== approvalId);
    await operator.approvals.approve({ id: request?.id ?? '', code, shownHash: request?.shownHash ?? '' });
    const back = await client.follow(asked.grant.interact.redirect);
    const spending = await finishSpending(node, client, asked, back.searchParams);
    const pay = async (id: string, value: string) => {
      await client.sdk.outgoingPayment.create(
        { url: node.publicUrl, accessToken: spending.value },
        { walletAddress: buyer.walletAddress, incomingPayment: `${node.publicUrl}/incoming-payments/${id}`, debitAmount: usd(value) },
      );
      while ((await operator.requests.get({ id })).progress.value < BigInt(value)) await setTimeout(50);
      return id;
    };
    const sale = async (unitPrice: bigint, text: string) => {
      const lines = [{ text, quantity: 2_000, unitPrice, tax: { name: TAX.name, rate: TAX.rate } }];
      const bill = { pricesIncludeTax: true, rounding: 'line', lines, tip: 0n } as const;
      return (await operator.requests.create({ requestId: randomUUID(), accountId: shopId, madeAt: 'till', bill })).id;
    };
    const paid = await pay(await sale(625n, 'Rose bush'), '1250');
    const unknown = await pay(await sale(900n, 'Herbs in a pot'), '1800');
    const claimed = await pay(await sale(450n, 'Seeds'), '900');
    const known = await sale(1_100n, 'Watering can');
    const quote = await operator.payments.quote({
      ...{ requestId: randomUUID(), accountId: buyer.id },
      payee: `${node.publicUrl}/incoming-payments/${known}`,
    });
    await operator.payments.pay({ requestId: randomUUID(), accountId: buyer.id, quoteId: quote.id });
    forgetPayer(node.dataDir, [unknown, claimed]);
    const claim = await operator.claims.make({ requestId: randomUUID(), paymentId: claimed, amount: 450n, reason: 'One bag was torn' });
    await tryInVain(node.publicUrl, await sale(300n, 'Candle'));
    const soldOut = await operator.requests.create({ requestId: randomUUID(), accountId: shopId, amount: 2_400n });
    await operator.requests.cancel({ id: soldOut.id, reason: 'Sold out' });
    await operator.closings.close({ requestId: randomUUID(), last: 0 });
    const partly = await pay(await sale(1_000n, 'Garden gloves'), '500');
    const tried = await sale(1_500n, 'Lantern');
    await tryInVain(node.publicUrl, tried);
    const cancelled = await operator.requests.create({ requestId: randomUUID(), accountId: shopId, amount: 700n });
    await operator.requests.cancel({ id: cancelled.id, reason: 'Sold out' });
    const { till } = await operator.tills.add({ name: 'Window', accountId: null });
    await askForSecondPerson(node, buyer.id, shopId);
    await operator.receipts.issue({ kind: 'sale', id: paid });
    const { link } = await operator.receipts.get({ kind: 'sale', id: paid });
    return {
      ...{ waiting: await sale(725n, 'Bird house'), partly, tried, paid, known, unknown, claimed, tillId: till.id },
      ...{ claimUrl: claim.link ?? '', receiptUrl: link ?? '', cancelledUrl: cancelled.link },
    };
  } finally {
    await client.stop();
  }
}

/** Makes payments look as if they had come from elsewhere, so that nobody knows who paid. */
function forgetPayer(dataDir: string, ids: readonly string[]): void {
  const database = new Database(join(dataDir, 'paydesk.db'));
  for (const id of ids) database.prepare('update outgoing_payments set receiver_id = null where receiver_id = ?').run(id);
  database.close();
}

async function furnish({ shop, products, settings, people, refundLimits }: Scene['node']['operator']): Promise<void> {
  const { profile } = await shop.get();
  const own = { name: 'Corner Garden', address: ['High Street 12', '12345 Springfield'], taxNumber: 'DE123456789' };
  await shop.set({ ...profile, ...own, taxRates: [TAX], defaultTaxRate: TAX.id, closingLine: 'Thank you, and come again' });
  await shop.setLogo(flower());
  for (const [name, price, colour] of [
    ['Rose bush', 625n, 'red'],
    ['Watering can', 2_200n, 'blue'],
    ['Herbs in a pot', 900n, 'green'],
  ] as const)
    await products.add({ requestId: randomUUID(), name, price, ...USD, taxRateId: TAX.id, code: null, colour });
  await settings.setTips({ percents: [5, 10, 15] });
  await people.invite({ name: 'Ada', role: 'cashier' });
  await refundLimits.set({ role: 'cashier', ...USD, amounts: { perPayment: 2_000n, perDay: 10_000n } });
}

/** Somebody names a wallet at the checkout that nobody runs. */
async function tryInVain(publicUrl: string, id: string): Promise<void> {
  const headers = { origin: publicUrl, 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ wallet: 'http://127.0.0.1:9/nobody' }).toString();
  await fetch(`${publicUrl}/pay/${id}`, { method: 'POST', headers, body, redirect: 'manual' });
}

/** A manager pays more than one person may, and waits for another one. */
async function askForSecondPerson({ operator, consoleUrl }: Scene['node'], accountId: string, to: string): Promise<void> {
  const { secret } = await operator.people.invite({ name: 'Mia', role: 'manager' });
  const mia = (await openConsoleLink(`${consoleUrl}/#link=${secret}`)).operator;
  await operator.secondPerson.set({ what: 'money', ...USD, above: 10_000n });
  const { link } = await operator.requests.create({ requestId: randomUUID(), accountId: to, amount: 15_000n, description: 'New shelves' });
  const quote = await mia.payments.quote({ requestId: randomUUID(), accountId, payee: link });
  const asked = mia.payments.pay({ requestId: randomUUID(), accountId, quoteId: quote.id, note: 'New shelves' });
  await asked.then(
    () => Promise.reject(new Error('nobody was asked')),
    () => undefined,
  );
}
