import { createAccount } from '../support/clients/flows.ts';
import { ReferenceConnector } from '../support/other-nodes/reference-connector.ts';
import { ReferenceWallet } from '../support/other-nodes/reference-wallet.ts';
import { PaymentPage, PaymentsPage } from './pages/payments-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

const TOKEN = 'the-token-that-the-peer-takes';
const USD = { assetCode: 'USD', assetScale: 2 };
/** A packet lives for half a minute. For ten more seconds it could still be on its way. */
const CERTAIN_AFTER_MS = 40_000;
/** The most that one packet may carry. */
const MOST = 600n;

test('the operator decides a payment whose outcome is unknown: it arrived, a part of it did, or it did not', async ({
  desk: { page, operator },
  node,
}) => {
  test.setTimeout(600_000);
  const connector = await new ReferenceConnector({ ...USD, incomingToken: TOKEN, maxPacketAmount: MOST }).listen();
  const wallet = await ReferenceWallet.start(connector);
  try {
    // While a packet is lost, its receiver gets other money, so that its count says nothing about the packet.
    let full = 0;
    connector.accident = ({ destination, amount }) => {
      if (amount === MOST.toString()) full += 1;
      // What is too large is sent again in smaller packets, of which the first arrives.
      if (BigInt(amount) > MOST || (amount === MOST.toString() && full === 1)) return undefined;
      for (const payment of connector.payments.values()) {
        if (destination.startsWith(payment.ilpAddress)) payment.received += 1_000n;
      }
      return 'lost on the way';
    };
    const buyer = await createAccount(node, 'buyer', 10_000n);
    await operator.peers.add({
      ...{ requestId: crypto.randomUUID(), name: 'Valley bank', ...USD, ilpAddress: connector.ilpAddress, routes: [] },
      ...{ endpoint: connector.endpoint, creditLimit: 0n, debtLimit: null, maxPacketAmount: null },
      ...{ deduplicates: false, outgoingToken: TOKEN },
    });
    const pay = async (amount: bigint, note: string) => {
      const { url } = wallet.createPayment();
      const ours = { accountId: buyer.id, note };
      const quote = await operator.payments.quote({ requestId: crypto.randomUUID(), ...ours, payee: url, send: amount });
      await operator.payments.pay({ requestId: crypto.randomUUID(), ...ours, quoteId: quote.id });
    };
    await pay(500n, 'Rent');
    await pay(300n, 'Flowers');
    await pay(3n * MOST, 'Wine');

    const payments = new PaymentsPage(page);
    const payment = new PaymentPage(page);
    await new Sections(page).goTo('Payments');
    await payments.rows.filter({ hasText: 'Rent' }).click();
    await expect(payment.held).toContainText('Valley bank has not answered');
    await expect(payment.fact('Status')).toHaveText('Needs you', { timeout: 4 * CERTAIN_AFTER_MS });
    await expect(payment.unknown).toContainText('US$5.00 left your node, and Valley bank never said what became of it.');
    await payment.unknown.getByRole('button', { name: 'It arrived' }).click();
    const arrived = page.getByRole('dialog', { name: 'Did it arrive?' });
    await expect(arrived).toContainText('US$5.00 is then booked as paid');
    await arrived.getByRole('button', { name: 'Cancel' }).click();
    await expect(payment.fact('Status')).toHaveText('Needs you');
    await payment.unknown.getByRole('button', { name: 'It arrived' }).click();
    await arrived.getByRole('button', { name: 'It arrived' }).click();
    await expect(payment.fact('Status')).toHaveText('Completed');
    await expect(payment.unknown).toBeHidden();
    await expect(payment.timeline).toContainText('You said that US$5.00 arrived');

    await new Sections(page).goTo('Payments');
    for (const note of ['Flowers', 'Wine'])
      await expect(payments.rows.filter({ hasText: note })).toContainText('Needs you', { timeout: 4 * CERTAIN_AFTER_MS });
    await new Sections(page).goTo('Overview');
    await expect(page.getByText('2 payments need you: nobody')).toBeVisible();
    await page.getByRole('link', { name: '2 payments need you' }).click();
    await payments.rows.filter({ hasText: 'Wine' }).click();
    await expect(payment.unknown).toContainText('US$12.00 left your node, and Valley bank never said what became of it.');
    await payment.unknown.getByRole('button', { name: 'A part of it arrived' }).click();
    const part = page.getByRole('dialog', { name: 'How much of it arrived?' });
    await expect(part.getByRole('button', { name: 'A part of it arrived' })).toBeDisabled();
    await part.getByRole('combobox', { name: 'Arrived' }).click();
    await page.getByRole('option', { name: 'US$6.00' }).click();
    await part.getByRole('button', { name: 'A part of it arrived' }).click();
    await expect(payment.fact('Status')).toHaveText('Failed');
    await expect(payment.timeline).toContainText('You said that US$6.00 arrived');
    await expect(payment.timeline).toContainText('US$6.00 went back into the account');

    await new Sections(page).goTo('Overview');
    await expect(page.getByText('One payment needs you')).toBeVisible();
    await page.getByRole('link', { name: '1 payment needs you' }).click();
    await expect(payments.rows).toHaveText([/Flowers/]);
    await payments.rows.click();
    await payment.unknown.getByRole('button', { name: 'It did not arrive' }).click();
    await page.getByRole('dialog', { name: 'Did it really not arrive?' }).getByRole('button', { name: 'It did not arrive' }).click();
    await expect(payment.fact('Status')).toHaveText('Failed');
    await expect(payment.timeline).toContainText('You said that US$3.00 did not arrive');
    await expect(payment.timeline).toContainText('US$3.00 went back into the account');
    expect(await operator.accounts.get({ id: buyer.id })).toMatchObject({ balance: 8_300n, reserved: 0n });
  } finally {
    await wallet.stop();
    await connector.close();
  }
});
