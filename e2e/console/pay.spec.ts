import { createAccount } from '../support/clients/flows.ts';
import { PayPage } from './pages/pay-page.ts';
import { PaymentPage, PaymentsPage } from './pages/payments-page.ts';
import { RatesPage } from './pages/rates-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

test('the operator pays a wallet address with the keyboard alone, and watches the payment to its end', async ({
  desk: { page, operator },
  node,
}) => {
  const [shop, till] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'till', 10_000n)];
  const pay = new PayPage(page);
  await new Sections(page).link('Pay').focus();
  await page.keyboard.press('Enter');
  await expect(pay.to).toBeFocused();
  await page.keyboard.type(shop.walletAddress);
  await page.keyboard.press('Tab');
  await expect(pay.from).toBeFocused();
  await page.keyboard.type('till');
  await expect(page.getByRole('option', { name: /The till/ })).toHaveAttribute('data-combobox-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(pay.from).toHaveValue(/The till/);
  await pay.to.focus();
  await page.keyboard.press('Enter');
  await expect(pay.fact('Calls itself')).toHaveText('The shop');
  await expect(pay.amount).toBeFocused();
  await page.keyboard.type('12.50');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Rent for May');
  await page.keyboard.press('Enter');
  await expect(pay.fact('Leaves your account')).toHaveText('US$12.50');
  await expect(pay.fact('Arrives')).toHaveText('US$12.50');
  await expect(pay.pay).toBeFocused();
  await page.keyboard.press('Enter');
  const payment = new PaymentPage(page);
  await expect(payment.fact('Status')).toHaveText('Completed');
  await expect(payment.title).toHaveText('Rent for May');
  await expect(payment.fact('App')).toHaveText('You');
  expect((await operator.accounts.get({ id: till.id })).balance).toBe(8_750n);
  const { items } = await operator.payments.list({ direction: 'in' });
  expect(items).toMatchObject([{ status: 'paid', progress: { value: 1_250n } }]);
});

test('the operator pays what a payment link asks for, and only once', async ({ desk: { page, operator }, node }) => {
  const [shop, till] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'till', 10_000n)];
  const request = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 700n, reference: 'INV-9' });
  await new Sections(page).goTo('Payments');
  await new PaymentsPage(page).pay.click();
  const pay = new PayPage(page);
  await pay.to.fill(request.link);
  await pay.from.click();
  await page.getByRole('option', { name: /The till/ }).click();
  await pay.find.click();
  await expect(pay.fact('Asks for')).toHaveText('US$7.00');
  await expect(pay.amount).toBeHidden();
  await pay.getPrice.click();
  await pay.pay.dblclick();
  await expect(new PaymentPage(page).fact('Status')).toHaveText('Completed');
  expect((await operator.accounts.get({ id: till.id })).balance).toBe(9_300n);
});

test('the console says why something cannot be paid and what to do, and sends no money', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
  refused,
}) => {
  const till = await createAccount(node, 'till', 500n);
  await operator.accounts.create({
    requestId: crypto.randomUUID(),
    name: 'euro',
    publicName: 'Euros',
    assetCode: 'EUR',
    assetScale: 2,
    openingBalance: 0n,
  });
  refused(400);
  await new Sections(page).goTo('Pay');
  const pay = new PayPage(page);
  await pay.find.click();
  await expect(page.getByText('Paste or type whom to pay.')).toBeVisible();
  await pay.to.fill(`${node.publicUrl}/nobody`);
  await pay.find.click();
  await expect(pay.failure).toContainText('There is no wallet address or payment link at this address.');
  // A mistyped host has no address. One that has an address may be away, so that is told in other words.
  await pay.to.fill('$shop.invalid/nobody');
  await expect(pay.failure).toBeHidden();
  await pay.find.click();
  await expect(pay.failure).toContainText('Check it for typing errors.');
  await pay.to.fill('http://127.0.0.1:9/shop');
  await pay.find.click();
  await expect(pay.failure).toContainText('or it does not answer now.');
  await pay.to.fill(`${node.publicUrl}/euro`);
  await expect(pay.failure).toBeHidden();
  await pay.find.click();
  await pay.getPrice.click();
  await expect(page.getByText('Enter an amount such as US$10.00.')).toBeVisible();
  await pay.amount.fill('6');
  await pay.getPrice.click();
  await expect(pay.failure).toContainText('your node has no rate between the two. Add one under Rates.');

  await new Sections(page).goTo('Rates');
  const rates = new RatesPage(page);
  await rates.press('Add a rate');
  await rates.field('From currency').fill('USD');
  await rates.field('To currency').fill('EUR');
  await rates.field('EUR for one USD').fill('0.9');
  await rates.field('Where the rate is from').fill('My bank');
  await rates.confirm('Save rate');
  await rates.press('Add money');
  await rates.chooseCurrency(/^EUR/);
  await rates.field('Amount').fill('100');
  await rates.confirm('Record');
  await expect(rates.funds).toContainText('€100.00');

  await new Sections(page).goTo('Pay');
  await pay.to.fill(`${node.publicUrl}/euro`);
  await pay.find.click();
  await pay.amount.fill('6');
  await pay.getPrice.click();
  await expect(pay.fact('Rate')).toHaveText('1 USD = 0.9 EUR');
  await expect(pay.fact('Arrives')).toHaveText('€5.40');
  await expect(pay.failure).toContainText('There is not that much in the account.');
  await expect(pay.pay).toBeDisabled();
  await pay.back.click();
  await pay.amount.fill('5');
  await pay.getPrice.click();
  await pay.pay.click();
  await expect(new PaymentPage(page).fact('Status')).toHaveText('Completed');
  expect((await operator.accounts.get({ id: till.id })).balance).toBe(0n);
});
