import { createAccount } from '../support/clients/flows.ts';
import { RatesPage } from './pages/rates-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

test('the operator adds, renews and removes rates, sees which are too old, and moves exchange money in and out', async ({
  desk: { page, operator },
  node,
}) => {
  await createAccount(node, 'till', 0n);
  await new Sections(page).goTo('Rates');
  const rates = new RatesPage(page);
  await expect(rates.none).toBeVisible();
  await expect(rates.noFunds).toBeVisible();
  await rates.press('Add a rate');
  await rates.confirm('Save rate');
  await expect(rates.dialog.getByText('Enter a decimal number of more than zero')).toBeVisible();
  await rates.field('From currency').fill('usd');
  await rates.field('To currency').fill('eur');
  await rates.field('EUR for one USD').fill('0.92');
  await rates.field('What you keep').fill('0.5');
  await rates.field('Where the rate is from').fill('My bank');
  await rates.confirm('Save rate');
  await expect(rates.rows).toHaveText([/USD → EUR.*1 USD = 0\.92 EUR.*0\.5%.*My bank.*Until/s]);

  await operator.rates.set({
    base: 'JPY',
    quote: 'EUR',
    rate: '0.006',
    spreadBps: 0,
    source: 'Old',
    asOf: new Date(Date.now() - 7_200_000),
    maxAgeSeconds: 3600,
  });
  await expect(rates.rows.filter({ hasText: 'JPY' })).toContainText('Too old, not used');
  await rates.press('Change JPY → EUR');
  await rates.field('EUR for one JPY').fill('0.0061');
  await rates.confirm('Save rate');
  await expect(rates.rows.filter({ hasText: 'JPY' })).toContainText('Until');
  await rates.press('Remove JPY → EUR');
  await rates.confirm('Remove');
  await expect(rates.rows).toHaveCount(1);

  await rates.press('Add money');
  await rates.chooseCurrency(/^USD/);
  await rates.field('Amount').fill('100');
  await rates.confirm('Record');
  await expect(rates.funds).toContainText('US$100.00');
  await rates.press('Take out USD');
  await rates.field('Amount').fill('100.01');
  await expect(rates.dialog.getByText('There is not that much in it.')).toBeVisible();
  await rates.field('Amount').fill('40');
  await rates.confirm('Record');
  await expect(rates.funds).toContainText('US$60.00');
  expect(await operator.rates.funds()).toContainEqual({ assetCode: 'USD', assetScale: 2, value: 6_000n });
});
