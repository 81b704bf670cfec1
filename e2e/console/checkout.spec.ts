import { randomUUID } from 'node:crypto';
import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { consent } from '../../src-shared/words/consent.ts';
import { hostAndPath } from '../../src-shared/words/inert-text.ts';
import { plain } from '../../src-shared/words/words.ts';
import type { TwoNodes } from '../support/nodes/two-nodes.ts';
import { Problems } from './hosts/problems.ts';
import { CheckoutPage } from './pages/checkout-page.ts';
import { twoNodes } from './two-node-fixtures.ts';

interface Visitor {
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
  readonly problems: Problems;
}

/** The visitor of the shop's pages uses a phone. */
const test = twoNodes.extend<{ visitor: Visitor }>({
  visitor: async ({ newPerson }, use) => {
    const problems = new Problems();
    await use({
      problems,
      open: async (url, options) => {
        const context = await newPerson({ viewport: { width: 390, height: 844 }, ...options });
        const page = await context.newPage();
        problems.watch(page);
        await page.goto(url);
        return page;
      },
    });
    problems.check();
  },
});

/** Makes what the shop asks for, as the shop's operator does. */
const ask = (nodes: TwoNodes, amount: bigint | undefined, more: { description?: string; note?: string; returnUrl?: string } = {}) =>
  nodes.a.operator.requests.create({
    requestId: randomUUID(),
    accountId: nodes.accounts.a.USD.shop.id,
    ...(amount !== undefined && { amount }),
    ...more,
  });

async function newestRequest(nodes: TwoNodes) {
  const request = (await nodes.b.operator.approvals.list()).at(-1);
  if (request === undefined) throw new Error('the wallet asks nothing');
  return request;
}

/** Reads the code on the page of the buyer's wallet, and approves the payment in its console. */
async function approveAtWallet(nodes: TwoNodes, checkout: CheckoutPage): Promise<void> {
  const code = await checkout.codeAtWallet();
  const { id, shownHash } = await newestRequest(nodes);
  await nodes.b.operator.approvals.approve({ id, code, shownHash });
}

/** The lines of consent that the operator of the buyer's wallet reads. */
const consentAtWallet = async (nodes: TwoNodes): Promise<string> =>
  consent
    .asked(await newestRequest(nodes))
    .flatMap(({ values }) => values.map((words) => plain(words)))
    .join(' | ');

for (const javaScriptEnabled of [true, false]) {
  test(`a visitor pays from a wallet on another node, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({ nodes, visitor }) => {
    const request = await ask(nodes, 2_600n, {
      description: 'Two rose bushes',
      note: 'Ann pays late',
      returnUrl: 'https://web-shop.example/orders/7',
    });
    const page = await visitor.open(request.link, { javaScriptEnabled });
    const checkout = new CheckoutPage(page);
    await expect(checkout.amount).toHaveText('26.00 USD');
    await expect(page.getByText('The shop')).toBeVisible();
    await expect(page.getByText('Two rose bushes')).toBeVisible();
    expect(await page.content()).not.toContain('Ann');
    await expect(checkout.state).toHaveText('Waiting for payment');

    const remember = page.getByLabel('Remember this wallet in this browser');
    await expect(remember).not.toBeChecked();
    await remember.check();
    await checkout.payFrom(nodes.accounts.b.EUR.payer.walletAddress);
    await expect(page.getByText(/^\d+\.\d\d EUR$/)).toBeVisible();
    await checkout.goToWallet.click();
    await checkout.codeAtWallet();
    const { walletAddress } = nodes.accounts.a.USD.shop;
    await expect.poll(() => consentAtWallet(nodes)).toContain(`only “The shop” (${hostAndPath(walletAddress)})`);
    await approveAtWallet(nodes, checkout);

    await expect(checkout.paid).toBeVisible();
    await expect(checkout.amount).toHaveText('26.00 USD');
    expect(page.url()).toBe(request.link);
    await expect(page.getByRole('link', { name: 'Back to web-shop.example' })).toHaveAttribute('href', 'https://web-shop.example/orders/7');
    const { link: next } = await ask(nodes, 100n);
    await page.goto(next);
    await expect(checkout.wallet).toHaveValue(nodes.accounts.b.EUR.payer.walletAddress);
    await page.getByText('Pay with a phone instead').click();
    const code = page.getByAltText('The address of this page as a code');
    await expect.poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(await nodes.a.operator.requests.get({ id: request.id })).toMatchObject({ status: 'paid', progress: { value: 2_600n } });
  });
}

test('someone who watches the page sees the payment arrive without a reload', async ({ nodes, visitor }) => {
  const request = await ask(nodes, 100n);
  const [watching, paying] = [await visitor.open(request.link), await visitor.open(request.link)];
  await new CheckoutPage(watching).wallet.fill('half typed');
  const checkout = new CheckoutPage(paying);
  await checkout.payFrom(nodes.accounts.b.USD.payer.walletAddress);
  await checkout.goToWallet.click();
  await approveAtWallet(nodes, checkout);
  await expect(new CheckoutPage(watching).paid).toBeVisible();
});

test('the buyer decides how much to pay when the shop names no amount', async ({ nodes, visitor }) => {
  const request = await ask(nodes, undefined);
  const page = await visitor.open(request.link);
  const checkout = new CheckoutPage(page);
  await expect(checkout.amount).toHaveText('Any amount');
  await checkout.typedAmount.fill('0');
  await checkout.payFrom(nodes.accounts.b.USD.payer.walletAddress);
  await expect(checkout.problem).toContainText('Enter an amount such as 12.50');
  await checkout.typedAmount.fill('7,50');
  await checkout.pay.click();
  await checkout.goToWallet.click();
  await approveAtWallet(nodes, checkout);
  await expect(page.getByText('7.50 USD has arrived.')).toBeVisible();
});

test('the page says in plain words what went wrong, and the visitor can try again', async ({ nodes, visitor }) => {
  const request = await ask(nodes, 2_600n);
  const page = await visitor.open(request.link);
  const checkout = new CheckoutPage(page);
  await checkout.payFrom(`${nodes.b.publicUrl}/nobody`);
  await expect(checkout.problem).toContainText('There is no wallet at this address.');
  await expect(checkout.wallet).toHaveValue(`${nodes.b.publicUrl}/nobody`);
  await checkout.payFrom('http://127.0.0.1:9/nobody');
  await expect(checkout.problem).toContainText('This wallet does not answer.');
  await checkout.payFrom(nodes.accounts.a.USD.payer.walletAddress);
  await expect(checkout.problem).toContainText('belongs to the same paydesk');

  await checkout.payFrom(nodes.accounts.b.USD.payer.walletAddress);
  await checkout.goToWallet.click();
  await checkout.codeAtWallet();
  const { id } = await newestRequest(nodes);
  await nodes.b.operator.approvals.deny({ id });
  await expect(checkout.problem).toContainText('You said no at your wallet, so it paid nothing this time.');
  expect(await nodes.a.operator.requests.get({ id: request.id })).toMatchObject({ status: 'waiting', progress: { value: 0n } });
});

test('who says no after a part was paid reads that this time nothing was, and not that nothing ever was', async ({ nodes, visitor }) => {
  const request = await ask(nodes, 2_600n);
  const { operator } = nodes.a;
  const quote = await operator.payments.quote({
    ...{ requestId: randomUUID(), accountId: nodes.accounts.a.USD.payer.id },
    ...{ payee: request.link.replace('/pay/', '/incoming-payments/'), send: 1_000n },
  });
  await operator.payments.pay({ requestId: randomUUID(), accountId: nodes.accounts.a.USD.payer.id, quoteId: quote.id });
  await expect.poll(async () => (await operator.requests.get({ id: request.id })).progress.value).toBe(1_000n);
  const page = await visitor.open(request.link);
  const checkout = new CheckoutPage(page);
  await expect(page.getByText('10.00 USD')).toBeVisible();
  // Where the wallet answers too late, the page asks the visitor to try again.
  await expect(async () => {
    await checkout.payFrom(nodes.accounts.b.USD.payer.walletAddress);
    await expect(checkout.goToWallet).toBeVisible({ timeout: 30_000 });
  }).toPass();
  await checkout.goToWallet.click();
  await checkout.codeAtWallet();
  await nodes.b.operator.approvals.deny({ id: (await newestRequest(nodes)).id });
  await expect(checkout.problem).toContainText('You said no at your wallet, so it paid nothing this time.');
  await expect(page.getByText('10.00 USD')).toBeVisible();
  await expect(page.locator('main')).not.toContainText('Nothing was paid');
});

test('who opens the link again goes on with the attempt that waits at their wallet, and nobody else can', async ({ nodes, visitor }) => {
  const request = await ask(nodes, 100n);
  const page = await visitor.open(request.link);
  const checkout = new CheckoutPage(page);
  await checkout.payFrom(nodes.accounts.b.USD.payer.walletAddress);
  await checkout.goToWallet.click();
  await checkout.codeAtWallet();
  const asked = (await nodes.b.operator.approvals.list()).length;
  await page.goto(request.link);
  await expect(page.getByText(`You were sent to ${hostAndPath(nodes.accounts.b.USD.payer.walletAddress)}.`)).toBeVisible();
  const stranger = await visitor.open(request.link);
  await expect(new CheckoutPage(stranger).pay).toBeVisible();
  await expect(stranger.getByRole('link', { name: 'Go to the wallet again' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Go to the wallet again' }).click();
  await checkout.goToWallet.click();
  await approveAtWallet(nodes, checkout);
  await expect(checkout.paid).toBeVisible();
  expect((await nodes.b.operator.approvals.list()).length).toBeLessThanOrEqual(asked);
});

test('an answer that comes back to another browser changes nothing', async ({ nodes, visitor }) => {
  const request = await ask(nodes, 2_600n);
  const page = await visitor.open(request.link);
  const checkout = new CheckoutPage(page);
  await checkout.payFrom(nodes.accounts.b.USD.payer.walletAddress);
  const back = page.url().replace('/go/', '/return/');
  visitor.problems.expect(/400/);
  const stranger = await visitor.open(`${back}?hash=aaaa&interact_ref=b`);
  await expect(stranger.getByRole('heading', { name: 'This did not work' })).toBeVisible();
  await page.goto(request.link);
  await expect(checkout.state).toHaveText('Waiting for payment');
});

test('every link that leads to no payment shows the same page', async ({ nodes, visitor }) => {
  visitor.problems.expect(/404/);
  const texts: string[] = [];
  for (const path of [`/pay/${randomUUID()}`, '/pay/x', '/nobody']) {
    const page = await visitor.open(nodes.a.publicUrl + path);
    texts.push(await page.locator('main').innerText());
    visitor.problems.expect(/404/);
  }
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toContain('There is nothing here');
});

test('a visitor can begin at the wallet address', async ({ nodes, visitor }) => {
  const page = await visitor.open(nodes.accounts.a.USD.shop.walletAddress);
  await expect(page.getByRole('heading', { name: 'The shop' })).toBeVisible();
  await page.getByLabel('Amount in USD').fill('3.20');
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(new CheckoutPage(page).amount).toHaveText('3.20 USD');
  await expect(page).toHaveURL(/\/pay\/[\da-f-]{36}$/);
});
