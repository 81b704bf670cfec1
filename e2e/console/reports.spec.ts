import { createAccount, salePayer } from '../support/clients/flows.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

test('whoever wants a report or a statement while others have theirs made reads so, and tries again', { tag: ['@long', '@once'] }, async ({
  desk: { page, problems },
  node,
}) => {
  await createAccount(node, 'shop', 20_000n);
  problems.expect(/status of 503/);
  // What a node answers that adds up two books while eight more wait.
  const busy = { json: { defined: true, code: 'BOOKS_BUSY', status: 503, message: 'busy', data: null } };
  const answer = { status: 503, contentType: 'application/json', body: JSON.stringify(busy) };
  for (const [section, path, card] of [
    ['Reports', 'reports/sales', 'Received'],
    ['Statements', 'statements/look', 'In these days'],
  ] as const) {
    await page.route(`**/operator/rpc/${path}**`, (route) => route.fulfill(answer), { times: 1 });
    await new Sections(page).goTo(section);
    const told = page.getByRole('alert').filter({ hasText: 'Others are having reports and statements made now. Try again in a minute.' });
    await expect(told).toBeVisible();
    await expect(page.getByRole('region', { name: card })).toBeHidden();
    await told.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('region', { name: card })).toBeVisible();
    await expect(told).toBeHidden();
  }
});

test('a report shows what was received over time, by product, place and reference, to the cent', { tag: '@once' }, async ({
  desk: { page, operator },
  node,
  client,
}) => {
  const shop = await createAccount(node, 'shop', 0n);
  const payer = await salePayer(node, client);
  const pay = async (id: string, value: string) => {
    await payer(id, value);
    await expect.poll(async () => (await operator.requests.get({ id })).status).toBe('paid');
  };
  const ask = async (amount: bigint, what: object) => {
    const { id } = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount, ...what });
    return id;
  };
  const line = (text: string, quantity: number, unitPrice: bigint) => ({ text, quantity, unitPrice, tax: null });
  const rules = { pricesIncludeTax: true, rounding: 'total' as const };
  const tea = { ...rules, lines: [line('Tea', 2_000, 250n), line('Loaf', 1_000, 400n)], tip: 100n };
  await pay(await ask(1_000n, { madeAt: 'till', bill: tea, reference: 'Table 4' }), '1000');
  await pay(await ask(1_250n, {}), '1250');
  await ask(300n, {});

  await new Sections(page).goTo('Reports');
  const totals = page.getByRole('region', { name: 'Received' });
  await expect(totals).toContainText('2 payments');
  await expect(totals).toContainText('US$22.50');
  await expect(totals).toContainText('US$11.25');
  const row = (table: string, name: string) => page.getByRole('table', { name: table }).getByRole('row', { name });
  await expect(row('What was sold', 'Tea')).toContainText(/2\s*1\s*US\$5\.00/);
  await expect(row('What was sold', 'Tips')).toContainText('US$1.00');
  await expect(row('What was sold', 'Without a product')).toContainText('US$12.50');
  await expect(row('What was sold', 'Total')).toContainText('US$22.50');
  await expect(row('Where it was asked for', 'Till')).toContainText('US$10.00');
  await expect(row('By reference', 'Table 4')).toContainText('US$10.00');
  await expect(page.getByText('67% of the 3 requests from these days were paid.')).toBeVisible();

  await page.getByRole('button', { name: 'Show the numbers' }).click();
  await expect(row('Over time', 'Total')).toContainText('US$22.50');
  await page.getByText('Weeks').click();
  await expect(row('Over time', 'Week from')).toContainText('US$22.50');

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Spreadsheet (CSV)' }).click()]);
  expect(file.suggestedFilename()).toMatch(/^shop-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);

  // The report stays as it is while somebody reads it, and is added up again when they want.
  await pay(await ask(50n, {}), '50');
  await page.getByRole('button', { name: 'Add up again' }).click();
  await expect(totals).toContainText('US$23.00');
  // Whoever comes back sees what has come since.
  await new Sections(page).goTo('Overview');
  await pay(await ask(70n, {}), '70');
  await new Sections(page).goTo('Reports');
  await expect(totals).toContainText('US$23.70');
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'Last month' }).click();
  await expect(totals).toContainText('Nothing was received in these days.');
});
