import { createAccount, receivingToken, requestSpending, spendingToken, usd, waitingRequest } from '../../support/clients/flows.ts';
import { StandInSystem } from '../hosts/stand-in-system.ts';
import { ApprovalPage } from '../pages/approval-page.ts';
import { WaitingPage } from '../pages/waiting-page.ts';
import { expect, test } from '../story-fixtures.ts';

test('a notification announces a request, and a click on it opens the request without stealing a keystroke', async ({
  desktop,
  client,
  person,
}) => {
  const { electron, page, operator } = desktop;
  const node = { publicUrl: (await operator.node.info()).publicUrl, operator };
  const system = await StandInSystem.of(electron);
  const host = new URL(client.url).host + new URL(client.url).pathname;
  const buyer = await createAccount(node, 'buyer', 50_000n);
  await system.closeWindow();
  const asked = await requestSpending(node, client, buyer.walletAddress, { debitAmount: usd('5000') });
  const code = await new WaitingPage(await person.open(asked.grant.interact.redirect)).readCode();

  const title = `${host} asks for your approval`;
  await expect.poll(() => system.notifications()).toMatchObject([{ title, state: 'shown' }]);
  const { id } = await waitingRequest(node);
  await system.clickNotification(title);
  await expect(page).toHaveURL(new RegExp(`/approvals/${id}$`));
  expect(await system.window()).toMatchObject({ windows: 1, visible: true, focused: true });

  const request = new ApprovalPage(page);
  await request.code.fill(code);
  await expect(request.approve).toBeEnabled();
  // A click on the notification brings the window in front of another one. A key or click at that moment was meant for
  // the other window.
  await system.lookAway();
  await system.clickNotification(title);
  await expect(request.approve).toBeDisabled();
  await expect(request.code).toHaveValue(code);
  await expect(request.approve).toBeEnabled();
  expect(await operator.approvals.list()).toHaveLength(1);
});

test('notifications announce payments and budgets, without amounts on a locked screen, and not while the operator looks', {
  tag: '@long',
}, async ({ desktop, client }) => {
  const { electron, page, operator } = desktop;
  const node = { publicUrl: (await operator.node.info()).publicUrl, operator };
  const system = await StandInSystem.of(electron);
  const [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', 50_000n)];
  const receiving = await receivingToken(node, client);
  const spending = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('10000') });
  const pay = async (value: string, description: string) => {
    const { id } = await client.sdk.incomingPayment.create(
      { url: node.publicUrl, accessToken: receiving },
      { walletAddress: shop.walletAddress, incomingAmount: usd(value), metadata: { description } },
    );
    await client.sdk.outgoingPayment.create(
      { url: node.publicUrl, accessToken: spending.value },
      { walletAddress: buyer.walletAddress, incomingPayment: id, debitAmount: usd(value) },
    );
  };
  const told = async () => (await system.notifications()).map(({ title, body }) => `${title} | ${body}`).sort();
  const host = new URL(client.url).host + new URL(client.url).pathname;

  await pay('100', 'unseen');
  await expect(page.getByText('US$1.00 received into The shop')).toBeVisible();
  await system.closeWindow();
  await pay('7900', 'Two <b>books</b>');
  const seen = [`${host} has used most of its budget | 80.00 USD of 100.00 USD`, 'Paid: 79.00 USD into The shop | Two ‹b›books‹/b›'].sort();
  await expect.poll(told).toEqual(seen);

  // The app removes the notifications with amounts. New ones name no amounts.
  await system.report('lock-screen');
  expect((await system.notifications()).map(({ state }) => state)).toEqual(['closed', 'closed']);
  await system.personIs('locked');
  await pay('2000', 'Private');
  await expect.poll(told).toEqual([...seen, 'An app has used all of its budget | ', 'Paid | '].sort());
  await system.report('resume');
});

test('locking the console removes notifications with amounts, even when the screen is not locked', { tag: '@long' }, async ({
  desktop,
  client,
  person,
}) => {
  const { electron, operator } = desktop;
  const node = { publicUrl: (await operator.node.info()).publicUrl, operator };
  const system = await StandInSystem.of(electron);
  const buyer = await createAccount(node, 'buyer', 50_000n);
  await operator.lock.protect({ passphrase: 'open sesame please', settings: { idleMinutes: null, atStart: false } });
  await system.closeWindow();
  const asked = await requestSpending(node, client, buyer.walletAddress, { debitAmount: usd('5000') });
  await person.open(asked.grant.interact.redirect);
  await expect.poll(() => system.notifications()).toMatchObject([{ state: 'shown' }]);
  await operator.lock.now();
  await expect.poll(() => system.notifications()).toMatchObject([{ state: 'closed' }]);
});
