import type { JSHandle, Locator } from '@playwright/test';
import type { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, type ReachedNode, receivingToken, spendingToken, usd } from '../support/clients/flows.ts';
import { hueOf } from '../support/pages/colours.ts';
import { PaymentPage, PaymentsPage } from './pages/payments-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

// Small packets make a large payment slow, so that it can be stopped under way.
const CENTS_A_PACKET = 10n;
test.use({ nodeFlags: ['--max-packet-amount', String(CENTS_A_PACKET)] });

/** A shop that can be paid and a buyer that can pay, both through the client. */
async function shopAndBuyer(node: ReachedNode, client: ClientWallet) {
  const [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', 10_000_000n)];
  const receiving = await receivingToken(node, client);
  const spending = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('10000000') });
  const ask = (value: string, metadata: Record<string, unknown> = {}) =>
    client.sdk.incomingPayment.create(
      { url: node.publicUrl, accessToken: receiving },
      { walletAddress: shop.walletAddress, incomingAmount: usd(value), metadata },
    );
  const pay = (incomingPayment: string, value: string, metadata: Record<string, unknown> = {}) =>
    client.sdk.outgoingPayment.create(
      { url: node.publicUrl, accessToken: spending.value },
      { walletAddress: buyer.walletAddress, incomingPayment, debitAmount: usd(value), metadata },
    );
  return { shop, buyer, ask, pay };
}

/**
 * Records every text that `locator` shows from now on. Of a list it records the line with `part` in it, wherever the
 * line is by then.
 */
const watch = (locator: Locator, part?: string): Promise<JSHandle<string[]>> =>
  locator.evaluateHandle((element: HTMLElement, wanted) => {
    const texts: string[] = [];
    const look = () => {
      const lines = wanted === undefined ? [element] : [...element.querySelectorAll('li')];
      const line = lines.find(({ innerText }) => wanted === undefined || innerText.includes(wanted));
      if (line !== undefined) texts.push(line.innerText);
    };
    look();
    new MutationObserver(look).observe(element, { subtree: true, childList: true, characterData: true });
    return texts;
  }, part);

/**
 * The amounts of a recorded line or sentence, each once, in the order in which they were shown. A waiting line shows
 * the amount that was asked for.
 */
async function amountsOf(texts: JSHandle<string[]>): Promise<number[]> {
  const moving = (await texts.jsonValue()).filter((text) => !text.includes('Waiting'));
  const found = moving.map((text) => Number(/US\$([\d,.]+)/.exec(text)?.[1]?.replaceAll(',', '')));
  return found.filter((amount, index) => amount !== found[index - 1]);
}

/** Checks that the shown amount grew step by step up to the whole. */
async function expectSteps(texts: JSHandle<string[]>, whole: number): Promise<void> {
  const amounts = await amountsOf(texts);
  expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
  expect(amounts.at(-1)).toBe(whole);
  expect(amounts.filter((amount) => amount > 0 && amount < whole).length).toBeGreaterThan(0);
}

test('an incoming payment appears without a reload, and both sides show it until it is paid', async ({ desk: { page }, node, client }) => {
  const { ask, pay } = await shopAndBuyer(node, client);
  await new Sections(page).goTo('Payments');
  const payments = new PaymentsPage(page);
  await expect(payments.none).toBeVisible();
  const invoice = await ask('500', { description: 'Two books' });
  await payments.show('Not paid');
  const [incoming, outgoing] = [payments.row('Into The shop'), payments.row('From The buyer').filter({ hasText: 'Books for the shelf' })];
  await expect(incoming).toContainText('Two books');
  await expect(incoming).toContainText('US$0.00');
  await expect(incoming).toContainText('Waiting for US$5.00');
  await payments.show('All');
  await expect(payments.none).toBeVisible();

  // The payment comes in two halves, so that the test sees each of them.
  const received = await watch(page.getByRole('main'), 'Into The shop');
  await pay(invoice.id, '300', { description: 'Books for the shelf' });
  await expect(incoming).toContainText('+US$3.00');
  await expect(incoming).toContainText('Partly paid of US$5.00');
  await expect(outgoing).toContainText('Completed');
  await expect(outgoing).toContainText('−US$3.00');
  await pay(invoice.id, '200', { description: 'The rest of them' });
  await expect(incoming).toContainText('Paid');
  await expect(incoming).toContainText('+US$5.00');
  await expect(payments.row('From The buyer').filter({ hasText: 'The rest of them' })).toContainText('Completed');
  await expectSteps(received, 5);
});

test('the page of a payment follows it and tells what happened', async ({ desk: { page }, node, client }) => {
  const { shop, ask, pay } = await shopAndBuyer(node, client);
  const invoice = await ask('500', { description: 'Two books', externalRef: 'INV-7', gift: { wrapped: true } });
  await new Sections(page).goTo('Payments');
  await new PaymentsPage(page).show('Not paid');
  await new PaymentsPage(page).row('Into The shop').click();
  const payment = new PaymentPage(page);
  await expect(payment.title).toHaveText('Two books');
  await expect(payment.progress).toHaveText('US$0.00 of US$5.00 received');
  const received = await watch(payment.progress);
  await pay(invoice.id, '300');
  await expect(payment.progress).toHaveText('US$3.00 of US$5.00 received');
  await expect(payment.fact('Status')).toHaveText('Partly paid');
  await pay(invoice.id, '200');
  await expect(payment.progress).toHaveText('US$5.00 of US$5.00 received');
  await expectSteps(received, 5);

  await expect(payment.complete).toBeHidden();
  await expect(payment.fact('Status')).toHaveText('Paid');
  await expect(payment.fact('Reference')).toHaveText('INV-7');
  await expect(payment.fact('Account')).toHaveText(shop.publicName);
  await expect(payment.fact('Packets')).toHaveText('50 packets carried its money');
  await expect(payment.fact('Public address')).toContainText(new URL(invoice.id).pathname);
  await expect(payment.metadata).toContainText('"wrapped": true');
  await expect(payment.timeline).toContainText('Asked for');
  await expect(payment.timeline).toContainText('US$4.90 received in all, in 49 packets');
  await expect(payment.timeline).toContainText('Completed with US$5.00 received; no more money is accepted');
});

test('filters are in the URL and survive a reload', { tag: '@long' }, async ({ desk: { page }, node, client }) => {
  const { shop, ask, pay } = await shopAndBuyer(node, client);
  await node.operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 500n, description: 'Two books' });
  const invoice = await ask('700', { description: 'A lamp', externalRef: '2026' });
  await pay(invoice.id, '700', { description: 'A lamp for us' });
  await new Sections(page).goTo('Payments');
  const payments = new PaymentsPage(page);
  await expect(payments.rows).toHaveCount(3);

  await payments.show('In');
  await expect(payments.rows).toHaveCount(2);
  await expect(page).toHaveURL(/\/payments\?direction=in$/);
  await payments.choose(payments.status, 'Paid');
  await expect(payments.rows).toHaveText([/A lamp/]);
  await page.reload();
  await expect(payments.rows).toHaveText([/A lamp/]);
  await expect(payments.direction('In')).toBeChecked();
  await expect(payments.status).toHaveValue('Paid');

  await payments.search.fill('nothing like it');
  await expect(payments.noneFound).toBeVisible();
  await payments.clearFilters.click();
  await expect(payments.rows).toHaveCount(3);
  await expect(payments.search).toHaveValue('');
  await payments.search.fill('2026');
  await expect(payments.rows).toHaveText([/A lamp.*Into The shop/s]);
  await page.reload();
  await expect(payments.search).toHaveValue('2026');
  await expect(payments.rows).toHaveCount(1);
  await payments.search.fill('');
  await payments.choose(payments.account, 'The buyer (USD)');
  await expect(payments.rows).toHaveText([/A lamp for us/]);
  await payments.rows.click();
  await expect(new PaymentPage(page).title).toHaveText('A lamp for us');
  await page.goBack();
  await expect(payments.rows).toHaveText([/A lamp for us/]);
});

test('cancelling an unpaid request asks first, and then it is never called paid', async ({ desk: { page }, node, client, person }) => {
  const { ask, pay } = await shopAndBuyer(node, client);
  const invoice = await ask('10000', { description: 'Two books' });
  await new Sections(page).goTo('Payments');
  await new PaymentsPage(page).show('Not paid');
  await new PaymentsPage(page).row('Into The shop').click();
  const payment = new PaymentPage(page);
  await payment.cancel.click();
  await expect(payment.cancelQuestion).toContainText('Nothing has been received for it, and no money is accepted any more.');
  await payment.cancelQuestion.getByRole('button', { name: 'Keep it' }).click();
  await expect(payment.cancelQuestion).toBeHidden();
  await expect(payment.fact('Status')).toHaveText('Waiting');

  await payment.cancel.click();
  await payment.cancelQuestion.getByRole('button', { name: 'Cancel request' }).click();
  await expect(payment.cancelQuestion).toBeHidden();
  await expect(payment.fact('Status')).toHaveText('Nothing received');
  await expect(payment.amount).toHaveText('US$0.00');
  await expect(payment.cancel).toBeHidden();
  await expect(payment.timeline).toContainText('Cancelled by you with nothing received');
  await expect(page.getByRole('main')).not.toContainText(/Paid|Completed/);
  const shown = await person.open(invoice.id.replace('/incoming-payments/', '/pay/'));
  await expect(shown.getByRole('status')).toHaveText('Nothing received. This payment was closed.');
  await expect(shown.locator('svg')).toHaveCount(0);
  await expect(pay(invoice.id, '100')).rejects.toMatchObject({ status: 400, description: 'invalid receiver' });
});

test('the page of a failed payment says why it failed, what to do, and where the money is', async ({
  desk: { page, operator },
  node,
  client,
}) => {
  const { buyer, ask, pay } = await shopAndBuyer(node, client);
  const before = (await operator.accounts.get({ id: buyer.id })).balance;
  const invoice = await ask('5000000', { description: 'A whole library' });
  await pay(invoice.id, '5000000', { description: 'All the books' });
  const sections = new Sections(page);
  await sections.goTo('Payments');
  const payments = new PaymentsPage(page);
  const outgoing = payments.row('From The buyer');
  await expect(outgoing).toContainText('Sending');
  await payments.row('Into The shop').click();
  const payment = new PaymentPage(page);
  await payment.complete.click();
  await payment.question.getByRole('button', { name: 'Complete now' }).click();
  await expect(payment.fact('Status')).toHaveText('Partly paid');

  await sections.goTo('Payments');
  await expect(outgoing).toContainText('Failed');
  const dot = (place: Locator) => place.locator('[data-tone]').first();
  expect(await hueOf(dot(outgoing))).toBe('red');
  await outgoing.click();
  await expect(payment.title).toHaveText('All the books');
  expect(await hueOf(dot(page.getByRole('main')))).toBe('red');
  // The bar of what was sent before the failure is red as well.
  await expect.poll(() => hueOf(page.getByRole('main').getByRole('progressbar').first())).toBe('red');
  expect(await hueOf(payment.failure)).toBe('red');
  await expect(payment.failure).toContainText('The receiver has completed or expired and takes no more money.');
  await expect(payment.failure).toContainText('Ask the receiver for a new payment request. This one accepts no more money.');
  const { progress } = await operator.payments.get({ id: page.url().split('/').at(-1) ?? '' });
  expect(progress.value).toBeGreaterThan(0n);
  expect(await operator.accounts.get({ id: buyer.id })).toMatchObject({ balance: before - progress.value, reserved: 0n });
  await expect(payment.timeline).toContainText('went back into the account');
  await sections.goTo('Overview');
  const failedToday = page.getByRole('link', { name: '1 payment failed today' });
  await expect(failedToday).toBeVisible();
  expect(await hueOf(failedToday)).toBe('red');
});

test('the filters read days and amounts as people type them', { tag: '@long' }, async ({ desk: { page }, node }) => {
  await createAccount(node, 'till', 0n);
  await new Sections(page).goTo('Payments');
  const payments = new PaymentsPage(page);
  await payments.moreFilters.click();
  await payments.fromDay.focus();
  // The date reads the same in every order of day and month.
  await page.keyboard.type('05052026', { delay: 100 });
  await expect(payments.fromDay).toHaveValue('2026-05-05');
  await expect(page).toHaveURL(/[?&]from=2026-05-05/);
  await payments.amountFrom.pressSequentially('6,50', { delay: 100 });
  await expect(page).toHaveURL(/[?&]min=(%22)?6\.50?\b/);
  await payments.clearFilters.click();
  await expect(payments.fromDay).toHaveValue('');
  await expect(payments.amountFrom).toHaveValue('');
});
