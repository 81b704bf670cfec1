import type { Page } from '@playwright/test';
import { addSilentPeer, createAccount, readCode, requestSpending, spendingToken, usd, waitingRequest } from '../support/clients/flows.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

/**
 * What an accountant is offered: to read on, to copy, to export, to write a mail, and what concerns the own session and
 * the own ways to sign in. Icons have no name.
 */
const READS =
  /^(Save file|Spreadsheet \(CSV\)|CSV for programs|Statement|Report|Add up again|Export|More filters|Copy.*|Show.*|Send by mail|Sign out .*|Add a passkey|Set a (password|PIN)|See .*|Look at what .*|)$/;

/** The names of all buttons on a page, and of links that look like buttons. */
async function buttonsOn(page: Page, path: string): Promise<string[]> {
  await new Sections(page).show(path);
  return await page
    .locator('main :is(button, .mantine-Button-root)')
    .evaluateAll((all) =>
      all.filter((one) => one.checkVisibility()).map((one) => (one.getAttribute('aria-label') ?? one.textContent).trim()),
    );
}

test('an accountant is offered nothing that changes anything, where the owner is offered it', async ({
  desk: { page, operator, problems },
  client,
  node,
  newPerson,
}) => {
  // The page of the accountant is closed before the node stops.
  problems.allow(/net::ERR_INCOMPLETE_CHUNKED_ENCODING/);
  const shop = await createAccount(node, 'shop', 250_000n);
  await spendingToken(node, client, shop.walletAddress, { debitAmount: usd('5000') });
  const rate = { spreadBps: 0, source: 'made up', asOf: new Date(), maxAgeSeconds: 86_400 };
  await operator.rates.set({ base: 'EUR', quote: 'USD', rate: '1.0842', ...rate });
  await operator.rates.fund({ requestId: crypto.randomUUID(), assetCode: 'USD', assetScale: 2, amount: 120_000n, note: '' });
  await operator.pairs.setFee({ base: 'EUR', quote: 'USD', fixed: '0.10', shareBps: 5, minimum: '0' });
  const { peer } = await addSilentPeer(operator);
  const request = await requestSpending(node, client, shop.walletAddress, { debitAmount: usd('700') });
  await readCode(client, request);
  const { id } = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 450n });
  const [grant] = (await operator.apps.grants({})).items;
  const { secret } = await operator.people.invite({ name: 'Bob', role: 'accountant' });

  const context = await newPerson();
  const books = await context.newPage();
  problems.watch(books);
  await books.goto(new URL(`/#link=${secret}`, page.url()).href);
  await expect(new Sections(books).link('Overview')).toBeVisible();
  await operator.products.add({
    ...{ requestId: crypto.randomUUID(), name: 'Tea', price: 250n, assetCode: 'USD', assetScale: 2 },
    ...{ taxRateId: null, code: null, colour: null },
  });
  const more = [
    '/products',
    `/accounts/${shop.id}`,
    `/apps/${grant?.id}`,
    `/payments/${id}`,
    `/get-paid/${id}`,
    `/peers/${peer.id}`,
    `/approvals/${(await waitingRequest(node)).id}`,
  ];
  const paths = [...(await new Sections(books).paths()), ...more];
  const [own, others]: [string[], string[]] = [[], []];
  for (const path of paths) {
    others.push(...(await buttonsOn(page, path)));
    own.push(...(await buttonsOn(books, path)).filter((name) => !READS.test(name)).map((name) => `${path}: ${name}`));
  }
  expect(own).toEqual([]);
  for (const act of [
    'Deposit',
    'Withdraw',
    'Add key',
    'Cancel request',
    'Revoke',
    'Add a rate',
    'Add a product',
    'Invite a peer',
    'Deny',
    'Read it first',
    'Pause',
    'Record a settlement',
    'Change',
    'Remove',
  ])
    expect(others, act).toContainEqual(expect.stringContaining(act));
  await context.close();
});
