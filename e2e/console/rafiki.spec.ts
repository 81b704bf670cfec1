import { closeConnection, pay, setupPayment, startQuote } from '@interledger/pay';
import { createAccount, receivingToken } from '../support/clients/flows.ts';
import { ReferenceConnector, ReferencePlugin } from '../support/other-nodes/reference-connector.ts';
import { ReferenceWallet } from '../support/other-nodes/reference-wallet.ts';
import { barriers } from '../support/pages/barriers.ts';
import { PayPage } from './pages/pay-page.ts';
import { PaymentPage } from './pages/payments-page.ts';
import { RafikiPage } from './pages/peers-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

const USD = { assetCode: 'USD', assetScale: 2 };

/** What the page says that Rafiki has to be told. */
interface PeerInput {
  assetId: string;
  staticIlpAddress: string;
  routes: string[];
  http: { incoming: { authTokens: [string] }; outgoing: { endpoint: string; authToken: string } };
  initialLiquidity: string;
}

test('the reference implementation becomes a peer step by step, and both pay each other', async ({ desk: { page }, node, client }) => {
  const reference = await new ReferenceConnector({ ...USD, incomingToken: 'a token that it was not told yet' }).listen();
  const wallet = await ReferenceWallet.start(reference);
  try {
    const shop = await createAccount(node, 'shop', 100_000n);
    await new Sections(page).goTo('Peers');
    await page.getByRole('link', { name: 'Rafiki, step by step' }).click();
    const rafiki = new RafikiPage(page);
    await expect(page.getByRole('combobox', { name: 'Currency' })).toHaveValue(/USD/);
    await rafiki.add.click();
    await expect(page.locator('[id$="-error"]')).toHaveCount(3);
    await rafiki.field('Its ILP address').fill(reference.ilpAddress);
    await rafiki.field('Address of its connector').fill(reference.endpoint);
    await rafiki.field('The most they may owe you').fill('500.00');
    await rafiki.field('The most you may owe them').fill('200.00');
    await rafiki.add.click();

    await expect(rafiki.steps).toContainText([
      /address answers.*Good/,
      /token.*Look at this.*does not accept/,
      /Not tried/,
      /Not known/,
      /Not known/,
    ]);
    await rafiki.assetId.fill('c5b1a5a3');
    const { input }: { input: PeerInput } = JSON.parse(await rafiki.variables.innerText());
    const { ilpAddress } = await node.operator.peers.self();
    expect(input).toMatchObject({
      ...{ assetId: 'c5b1a5a3', staticIlpAddress: `${ilpAddress}.USD-2`, routes: [ilpAddress], initialLiquidity: '20000' },
    });
    expect(await barriers(page)).toEqual([]);

    reference.takeToken(input.http.incoming.authTokens[0]);
    await rafiki.lookAgain.click();
    await expect(rafiki.steps).toContainText([/Good/, /Good/, /test packet comes back.*Good/, /knows of none yet/, /Not known/]);
    const { endpoint, authToken } = input.http.outgoing;
    await payInto(shop.walletAddress, new ReferencePlugin(reference, { endpoint, token: authToken }));
    await expect(rafiki.steps).toContainText([/Good/, /Good/, /Good/, /has arrived.*Good/, /address of the currency.*Good/]);
    await expect(page.getByText('The connection works in both directions.')).toBeVisible();

    await page.reload();
    await expect(rafiki.variables).toContainText('shown only when the peer was added');
    await expect(page.getByText(authToken)).toHaveCount(0);

    const { url, payment } = wallet.createPayment();
    await new Sections(page).goTo('Pay');
    const form = new PayPage(page);
    await form.to.fill(url);
    await form.find.click();
    await form.amount.fill('1.50');
    await form.getPrice.click();
    await form.pay.click();
    await expect(new PaymentPage(page).fact('Status')).toHaveText('Completed');
    expect(payment.received).toBe(150n);
  } finally {
    await wallet.stop();
    await reference.close();
  }

  /** Pays 2.50 into an account of the node, as a customer of the reference implementation does. */
  async function payInto(walletAddress: string, plugin: ReferencePlugin): Promise<void> {
    const invoice = await client.sdk.incomingPayment.create(
      { url: node.publicUrl, accessToken: await receivingToken(node, client) },
      { walletAddress, incomingAmount: { ...USD, value: '250' } },
    );
    const [method] = invoice.methods;
    if (method?.type !== 'ilp') throw new Error('it cannot be paid');
    const sharedSecret = Buffer.from(method.sharedSecret, 'base64url');
    const destination = await setupPayment({ plugin, destinationAddress: method.ilpAddress, sharedSecret });
    const quote = await startQuote({
      ...{ plugin, destination, sourceAsset: reference.asset, amountToDeliver: '250', slippage: 0.01, prices: { USD: 1 } },
    });
    const progress = await pay({ plugin, destination, quote });
    await closeConnection(plugin, destination);
    expect(progress.error).toBeUndefined();
  }
});
