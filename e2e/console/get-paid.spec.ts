import type { ClientWallet } from '../support/clients/client-wallet.ts';
import { addSilentPeer, createAccount, type ReachedNode, spendingToken, usd } from '../support/clients/flows.ts';
import { chooseByTyping } from '../support/pages/choosing.ts';
import { hueOf } from '../support/pages/colours.ts';
import { CheckoutPage } from './pages/checkout-page.ts';
import { GetPaidPage } from './pages/get-paid-page.ts';
import { PaymentPage } from './pages/payments-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

/** Pays what a link asks for, as an app with an approved grant does. */
async function payer(node: ReachedNode, client: ClientWallet) {
  const buyer = await createAccount(node, 'buyer', 100_000n);
  const spending = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('100000') });
  return (link: string, value: string) =>
    client.sdk.outgoingPayment.create(
      { url: node.publicUrl, accessToken: spending.value },
      { walletAddress: buyer.walletAddress, incomingPayment: link.replace('/pay/', '/incoming-payments/'), debitAmount: usd(value) },
    );
}

test('the operator makes a link with its code, the payer opens it, and both see it paid', async ({
  desk: { page },
  node,
  client,
  person,
}) => {
  await createAccount(node, 'shop', 0n);
  const pay = await payer(node, client);
  await new Sections(page).goTo('Get paid');
  const desk = new GetPaidPage(page);
  await expect(desk.none).toBeVisible();
  await desk.amount.fill('26');
  await desk.description.fill('Two rose bushes');
  await desk.note.fill('Ann pays late');
  await desk.reference.fill('ORDER-7');
  await desk.ends.selectOption('In one hour');
  await desk.create.click();

  await expect(desk.title).toHaveText('Request for US$26.00');
  await expect(desk.code).toBeVisible();
  await expect(desk.progress).toContainText('Waiting');
  await expect(page.getByText('Two rose bushes', { exact: true })).toBeVisible();
  await expect(page.getByText('Ann pays late')).toBeVisible();
  const link = await desk.link.innerText();
  const shown = await person.open(link);
  const visitor = new CheckoutPage(shown);
  await expect(shown.getByText('Two rose bushes')).toBeVisible();
  const asPublic = await client.sdk.incomingPayment.getPublic({ url: link.replace('/pay/', '/incoming-payments/') });
  for (const text of [await shown.content(), JSON.stringify(asPublic)]) expect(text).not.toMatch(/Ann|ORDER-7/);
  await expect(visitor.amount).toHaveText('26.00 USD');
  await expect(visitor.state).toHaveText('Waiting for payment');

  await pay(link, '2600');
  await expect(desk.paidAmount).toHaveText('US$26.00');
  await expect(desk.progress).toContainText('Paid');
  await expect(visitor.paid).toBeVisible();
  await new Sections(page).goTo('Get paid');
  await expect(desk.none).toBeVisible();
});

test('the operator cancels a request with a reason, which the payer reads, and changes the notes afterwards', async ({
  desk: { page, operator },
  node,
  person,
}) => {
  const shop = await createAccount(node, 'shop', 0n);
  const { id, link } = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 2_600n, note: 'Ann' });
  const shown = await person.open(link);
  await new Sections(page).goTo('Get paid');
  const desk = new GetPaidPage(page);
  await desk.open.getByRole('link').click();
  await page.getByRole('button', { name: 'Cancel request' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The last copy is sold');
  await dialog.getByRole('button', { name: 'Cancel request' }).click();
  await expect(desk.progress).toContainText('Cancelled');
  await expect(page.getByText('The last copy is sold')).toBeVisible();
  await expect(shown.getByRole('status')).toHaveText('The payee has cancelled this payment. Nothing was paid.');
  await expect(shown.getByText('The last copy is sold')).toBeVisible();

  await page.getByRole('button', { name: 'Edit notes' }).click();
  await dialog.getByLabel('Reference').fill('ORDER-8');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('ORDER-8')).toBeVisible();
  expect(await operator.requests.get({ id })).toMatchObject({ note: 'Ann', reference: 'ORDER-8', cancelReason: 'The last copy is sold' });
});

test('a request without an amount stays open, is found again after a reload, and refuses text that is not an amount', async ({
  desk: { page },
  node,
}) => {
  await createAccount(node, 'shop', 0n);
  await new Sections(page).goTo('Get paid');
  const desk = new GetPaidPage(page);
  await desk.amount.fill('12.3456');
  await desk.create.click();
  await expect(page.getByText(/^Enter an amount such as/)).toBeVisible();
  await desk.amount.fill('1.230');
  await desk.create.click();
  await expect(page.getByText('This can be read in two ways. Write 1230 or 1.23.')).toBeVisible();
  await desk.amount.fill('');
  await desk.create.click();
  await expect(desk.title).toHaveText('Request for any amount');
  await page.reload();
  await expect(desk.link).toBeVisible();
  await new Sections(page).goTo('Get paid');
  await expect(desk.open.getByRole('link')).toHaveCount(1);
  await expect(desk.open).toContainText('Any amount');
});

test('a request leads the payer back to the shop, to an address that a browser may be led to', { tag: '@long' }, async ({
  desk: { page },
  node,
  client,
  person,
}) => {
  await createAccount(node, 'shop', 0n);
  const pay = await payer(node, client);
  await new Sections(page).goTo('Get paid');
  const desk = new GetPaidPage(page);
  const wrong = page.getByText('Enter a web address that begins with https://.');
  await desk.amount.fill('26');
  await desk.wayBack.fill('web-shop.example/orders/7');
  await expect(wrong).toBeHidden();
  await desk.wayBack.press('Enter');
  await expect(wrong).toBeVisible();
  await expect(desk.wayBack).toHaveAttribute('aria-invalid', 'true');
  await desk.wayBack.fill(' https://web-shop.example/orders/7');
  await expect(wrong).toBeHidden();
  await desk.create.click();
  await expect(desk.title).toHaveText('Request for US$26.00');
  await expect(page.getByText('https://web-shop.example/orders/7', { exact: true })).toBeVisible();

  const link = await desk.link.innerText();
  const shown = await person.open(link);
  await pay(link, '2600');
  const back = shown.getByRole('link', { name: 'Back to web-shop.example' });
  await expect(back).toHaveAttribute('href', 'https://web-shop.example/orders/7');
});

test('an amount is taken as it stands in an invoice, and a new request begins with the same account at the amount', {
  tag: '@long',
}, async ({ desk: { page }, node }) => {
  await createAccount(node, 'shop', 0n);
  await createAccount(node, 'stall', 0n);
  await new Sections(page).goTo('Get paid');
  const desk = new GetPaidPage(page);
  await expect(desk.amount).toBeFocused();
  await page.keyboard.type('$1.234,50');
  await chooseByTyping(desk.into, 'stall');
  await desk.create.click();
  await expect(desk.title).toHaveText('Request for US$1,234.50');
  await desk.another.click();
  await expect(desk.amount).toBeFocused();
  await expect(desk.amount).toHaveValue('');
  await expect(desk.into).toHaveValue('The stall (USD)');
});

test('the console announces money that arrives on whatever screen the operator is', async ({ desk: { page, operator }, node, client }) => {
  const shop = await createAccount(node, 'shop', 0n);
  const pay = await payer(node, client);
  await new Sections(page).goTo('Accounts');
  const { link } = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 2_600n });
  await pay(link, '2600');
  const told = page.getByRole('alert').filter({ hasText: 'US$26.00 received into The shop' });
  await expect(told).toBeVisible();
  await told.getByRole('link', { name: 'Look at it' }).click();
  await expect(page).toHaveURL(/\/payments\/[\da-f-]{36}$/);
  await expect(told).toBeHidden();
});

test.describe('while a packet holds one unit', () => {
  test.use({ nodeFlags: ['--max-packet-amount', '1'] });

  test('the console announces a failed payment on whatever screen the operator is', { tag: '@long' }, async ({
    desk: { page, operator },
    node,
    client,
  }) => {
    const shop = await createAccount(node, 'shop', 0n);
    const pay = await payer(node, client);
    await new Sections(page).goTo('Accounts');
    const request = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 90_000n });
    // Most of these packets are still to come when the payment is completed.
    await pay(request.link, '90000');
    await operator.payments.complete({ id: request.id });
    const told = page.getByRole('alert').filter({ hasText: 'A payment of US$900.00 from The buyer failed' });
    await expect(told).toBeVisible();
    expect(await hueOf(told, '::before')).toBe('red');
    await told.getByRole('link', { name: 'Look at it' }).click();
    const payment = new PaymentPage(page);
    await expect(payment.failure).toContainText('The receiver has completed or expired and takes no more money.');
    await expect(told).toBeHidden();
  });
});

test.describe('while the node takes one request a second from an address', () => {
  test.use({ nodeFlags: ['--address-rate', '1'] });

  test('a customer whose page is refused reads that it has to wait, and then sees it without doing anything', async ({
    node,
    person,
    problems,
  }) => {
    problems.expect(/the server responded with a status of 429 /);
    const { walletAddress } = await createAccount(node, 'shop', 0n);
    const page = await person.open(walletAddress);
    const heading = page.getByRole('heading', { level: 1 });
    await expect(async () => {
      await page.reload();
      await expect(heading).toHaveText('One moment, please', { timeout: 1 });
    }).toPass({ intervals: [0] });
    await expect(heading).toHaveText('The shop');
  });
});

test.describe('on a node that others can reach', () => {
  test.use({ nodeFlags: ['--public-url', 'https://shop.example', '--trusted-proxies', '127.0.0.1'] });

  test('the page of a request says that no other wallet can pay it, until there is a peer at work', async ({
    desk: { page, operator },
    node,
  }) => {
    const shop = await createAccount(node, 'shop', 0n);
    const { id } = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 2_600n });
    await new Sections(page).goTo('Get paid');
    const desk = new GetPaidPage(page);
    await desk.open.getByRole('link').click();
    await expect(desk.notConnected).toBeVisible();
    await expect(desk.notConnected.getByRole('link', { name: 'See Peers' })).toBeVisible();
    const { peer } = await addSilentPeer(operator);
    await expect(desk.notConnected).toBeHidden();
    await operator.peers.pause({ id: peer.id });
    await expect(desk.notConnected).toBeVisible();
    await operator.peers.resume({ id: peer.id });
    await expect(desk.notConnected).toBeHidden();
    expect(await operator.requests.get({ id })).toMatchObject({ status: 'waiting' });
  });
});

test('the page of a request tells the operator who opens it why a visitor could not pay', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
  person,
}) => {
  const shop = await createAccount(node, 'shop', 0n);
  const request = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 2_600n });
  await new Sections(page).goTo('Get paid');
  const desk = new GetPaidPage(page);
  await desk.open.getByRole('link').click();
  await expect(desk.title).toHaveText('Request for US$26.00');
  await expect(desk.attempts).toBeHidden();
  const visitor = new CheckoutPage(await person.open(request.link));
  await visitor.payFrom('http://127.0.0.1:9/nobody');
  await expect(visitor.problem).toContainText('This wallet does not answer.');
  await expect(desk.attempts).toContainText('Somebody tried to pay this from the link.');
  await expect(desk.attempts).toContainText('Their wallet does not answer.');
  await expect(desk.attempts).toContainText('127.0.0.1:9/nobody');
  await visitor.payFrom(shop.walletAddress);
  await expect(visitor.problem).toContainText('belongs to the same paydesk');
  await expect(desk.attempts).toContainText('The address that was typed is on this node.');
  await expect(desk.progress).toContainText('Waiting');
});
