import { createAccount } from '../support/clients/flows.ts';
import { RateServer } from '../support/other-nodes/rate-server.ts';
import { barriers } from '../support/pages/barriers.ts';
import { RatesPage } from './pages/rates-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

test('the operator tests a source, lets a pair follow it, confirms a jump and sets a fee', async ({ desk: { page, operator }, node }) => {
  const server = await RateServer.start();
  try {
    await createAccount(node, 'till', 0n);
    await new Sections(page).goTo('Rates');
    const rates = new RatesPage(page);
    await expect(rates.sources).toContainText('No source yet');
    await expect(rates.following).toContainText('No pair follows a source');

    await rates.press('Add a source');
    await rates.field('Web address').fill(server.url);
    await rates.confirm('Test this source');
    await expect(rates.dialog.getByRole('alert')).toHaveText('It answered with an error.');
    server.sayEuro({ USD: '1.25', GBP: '0.8' });
    await rates.confirm('Test this source');
    await expect(rates.dialog.getByRole('status')).toContainText('1 EUR = 1.25 USD');
    expect(await operator.rateSources.list()).toEqual([]);
    await rates.confirm('Add and switch on');
    // The node looks by itself.
    await expect(rates.sources).toContainText('1 EUR = 1.25 USD and 1 other rate', { timeout: 15_000 });

    await rates.press('Follow the sources');
    await rates.field('From currency').fill('usd');
    await rates.field('To currency').fill('eur');
    await rates.confirm('Save and follow');
    await expect(rates.following).toContainText('1 USD = 0.8 EUR');
    await expect(rates.following).toContainText('In use');

    server.sayEuro({ USD: '1.5', GBP: '0.8' });
    await rates.press('Look now at European Central Bank');
    await expect(rates.following.getByRole('alert')).toContainText('1 USD = 0.6666666666 EUR');
    await expect(rates.following).toContainText('1 USD = 0.8 EUR');
    await new Sections(page).goTo('Health');
    await expect(page.getByText('The rate USD → EUR has jumped further than you let your node believe.')).toBeVisible();
    await new Sections(page).goTo('Rates');
    await rates.press('Use this rate');
    await expect(rates.dialog).toContainText('The rate in use is 1 USD = 0.8 EUR, and the source says 1 USD = 0.6666666666 EUR.');
    await rates.confirm('Use this rate');
    await expect(rates.following.getByRole('alert')).toHaveCount(0);
    await expect(rates.following).toContainText('1 USD = 0.6666666666 EUR');

    server.answer = '<html>down for maintenance</html>';
    await rates.press('Look now at European Central Bank');
    await expect(rates.sources).toContainText('The last look brought nothing: Its answer cannot be read.');
    await expect(rates.following).toContainText('1 USD = 0.6666666666 EUR');

    await rates.press('Set a fee');
    await rates.field('From currency').fill('usd');
    await rates.field('To currency').fill('eur');
    await rates.field('Fixed, in USD').fill('0.30');
    await rates.field('Share').fill('1');
    await rates.confirm('Save fee');
    await expect(rates.fees).toContainText('Your node takes 0.30 USD and 1% of what the payer pays.');
    expect(await barriers(page)).toEqual([]);

    await rates.press('Remove European Central Bank');
    await rates.confirm('Remove');
    await expect(rates.sources).toContainText('No source yet');
    await rates.press('Stop following the sources for USD → EUR');
    await rates.confirm('Stop following');
    await expect(rates.following).toContainText('No pair follows a source');
  } finally {
    await server.stop();
  }
});
