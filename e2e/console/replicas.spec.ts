import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { finishSpending, requestSpending, usd, waitingRequest } from '../support/clients/flows.ts';
import type { Replica } from '../support/nodes/cluster.ts';
import { ClusterAndNode } from '../support/nodes/cluster-and-node.ts';
import { TlsProxy } from '../support/nodes/tls-proxy.ts';
import { CheckoutPage } from './pages/checkout-page.ts';
import { OverviewPage } from './pages/overview-page.ts';
import { PaymentsPage } from './pages/payments-page.ts';
import { appCode } from './pages/people/app-code.ts';
import { WaysPage } from './pages/people/ways-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

// Two replicas behind a balancer for clients and customers, and behind a proxy with a certificate for the console.

const PASSWORD = 'four plain words here';
/** A replica that dies cuts its streams off, and its proxy has nobody for a moment. */
const CUT_OFF = /net::ERR_(INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED)|HTTP2_PROTOCOL_ERROR)/;

let both: ClusterAndNode;
let proxy: TlsProxy;
test.beforeEach(async () => {
  proxy = await TlsProxy.start();
  both = await ClusterAndNode.start(20_000, ['--console-url', proxy.origin, '--trusted-proxies', '127.0.0.1']);
});
test.afterEach(async () => {
  await both.stop();
  await proxy.stop();
});

/** Mia signs in for the first time, and sets a password with an app for codes. */
async function signIn(page: Page, secret: string): Promise<void> {
  await page.goto(`${proxy.origin}/#link=${secret}`);
  const instead = page.getByRole('button', { name: 'Set a password instead' });
  const name = page.getByLabel('Name to sign in');
  await expect(instead.or(name)).toBeVisible();
  if (await instead.isVisible()) await instead.click();
  const ofApp = await new WaysPage(page).choosePassword(page.getByRole('main'), { signInName: 'mia', password: PASSWORD });
  await page.getByLabel('Code that the app shows').fill(appCode(ofApp));
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByTestId('recovery-codes').getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: 'I have kept them' }).click();
}

test('a person and a customer go on from one replica to another, also when one dies under an open page', async ({
  newPerson,
  problems,
  client,
}) => {
  problems.allow(CUT_OFF);
  problems.allow(/status of 40[13]/);
  const { cluster, pair } = both;
  const [first, second] = both.replicas as [Replica, Replica];
  const { shop, payer } = pair.accounts.b.USD;
  const open = async (): Promise<Page> => {
    const page = await (await newPerson({ ignoreHTTPSErrors: true })).newPage();
    problems.watch(page);
    return page;
  };

  // Mia signs in at the first replica, and works at the second one.
  proxy.serve(first.node.consoleUrl);
  cluster.balancer.choose(first.port);
  const mia = await open();
  await signIn(mia, (await first.node.operator.people.invite({ name: 'Mia', role: 'manager' })).secret);
  const balance = new OverviewPage(mia).account('The shop').filter({ hasText: 'US$' });
  await expect(balance).toContainText('US$0.00');
  proxy.serve(second.node.consoleUrl);
  await mia.reload();
  await expect(mia.getByText('Mia · Manager')).toBeVisible();

  // A payment that is made at the first one is seen at the second.
  const from = { requestId: randomUUID(), accountId: payer.id };
  const quote = await first.node.operator.payments.quote({ ...from, payee: shop.walletAddress, send: 1_250n });
  await first.node.operator.payments.pay({ ...from, quoteId: quote.id });
  await expect(balance).toContainText('US$12.50');

  // A customer opens the page of a payment at one, and pays at the other.
  const { link } = await second.node.operator.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: 2_600n });
  const customer = await open();
  await customer.goto(link);
  const checkout = new CheckoutPage(customer);
  await expect(checkout.amount).toHaveText('26.00 USD');
  cluster.balancer.choose(second.port);
  await checkout.payFrom(pair.accounts.a.USD.payer.walletAddress);
  cluster.balancer.choose(first.port);
  await checkout.goToWallet.click();
  const code = await checkout.codeAtWallet();
  const { id, shownHash } = await waitingRequest(both.alone);
  await both.alone.operator.approvals.approve({ id, code, shownHash });
  await expect(checkout.paid).toBeVisible();
  await expect(balance).toContainText('US$38.50');

  // An app asks at the first one, its person reads the code at the second, and the first one is told the decision.
  const reached = { publicUrl: cluster.balancer.origin, operator: first.node.operator };
  const asked = await requestSpending(reached, client, payer.walletAddress, { debitAmount: usd('500') });
  cluster.balancer.choose(second.port);
  await customer.goto(asked.grant.interact.redirect);
  const shown = await checkout.codeAtWallet();
  const request = await waitingRequest(reached);
  await first.node.operator.approvals.approve({ id: request.id, code: shown, shownHash: request.shownHash });
  await customer.waitForURL(`${client.finishUri}**`);
  cluster.balancer.choose(first.port);
  const token = await finishSpending(reached, client, asked, new URL(customer.url()).searchParams);

  // The second one dies while Mia looks at its page.
  await second.node.kill();
  const lost = mia.getByText('The connection to your node is lost.');
  await expect(lost).toBeVisible();
  proxy.serve(first.node.consoleUrl);
  await expect(lost).toBeHidden();
  const invoice = await first.node.operator.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: 150n });
  await client.sdk.outgoingPayment.create(
    { url: reached.publicUrl, accessToken: token.value },
    {
      walletAddress: payer.walletAddress,
      incomingPayment: `${reached.publicUrl}/incoming-payments/${invoice.id}`,
      debitAmount: usd('150'),
    },
  );
  await expect(balance).toContainText('US$40.00');
  await new Sections(mia).goTo('Payments');
  await expect(new PaymentsPage(mia).rows).toHaveCount(5);
  for (const page of [mia, customer]) await page.context().close();
});
