import { createAccount, requestSpending, usd, waitingRequest } from '../../support/clients/flows.ts';
import { StandInSystem } from '../hosts/stand-in-system.ts';
import { ApprovalsPage } from '../pages/approval-page.ts';
import { WaitingPage } from '../pages/waiting-page.ts';
import { expect, test } from '../story-fixtures.ts';

test('the tray shows the state and what waits, and opens it', async ({ desktop, client, person }) => {
  const { electron, page, operator } = desktop;
  const node = { publicUrl: (await operator.node.info()).publicUrl, operator };
  const system = await StandInSystem.of(electron);
  await expect.poll(() => system.trayMenu()).toEqual(['(running)', '(No requests wait)', 'Open paydesk', 'Quit']);
  await expect.poll(() => system.tooltip()).toBe('paydesk: running');

  const buyer = await createAccount(node, 'buyer', 50_000n);
  const asked = await requestSpending(node, client, buyer.walletAddress, { debitAmount: usd('5000') });
  await new WaitingPage(await person.open(asked.grant.interact.redirect)).readCode();
  await expect.poll(() => system.tooltip()).toBe('paydesk: 1 request waits for you');
  await system.closeWindow();
  await system.chooseInTray('1 request waits for you');
  await expect(new ApprovalsPage(page).requestOf(new URL(client.url).host + new URL(client.url).pathname)).toBeVisible();
  expect(await system.window()).toMatchObject({ visible: true, focused: true });

  await operator.approvals.deny({ id: (await waitingRequest(node)).id });
  await expect.poll(() => system.trayMenu()).toContain('(No requests wait)');
});

test('closing the window hides it, and the node goes on', async ({ desktop: { electron, page, operator } }) => {
  const system = await StandInSystem.of(electron);
  const { publicUrl } = await operator.node.info();
  await page.evaluate(() => Reflect.set(window, 'sameDocument', true));
  await system.closeWindow();
  expect(await system.window()).toMatchObject({ windows: 1, visible: false });
  expect((await fetch(`${publicUrl}/auth/discovery`)).status).toBe(200);
  await system.chooseInTray('Open paydesk');
  expect(await system.window()).toMatchObject({ windows: 1, visible: true, focused: true });
  expect(await page.evaluate(() => Reflect.get(window, 'sameDocument'))).toBe(true);
});

test('closing the window quits when the operator has chosen that', { tag: '@long' }, async ({ desktop: { electron, operator } }) => {
  const { settings } = await operator.desktop.get();
  await operator.desktop.change({ ...settings, closeToTray: false });
  const exited = new Promise((resolve) => electron.process().once('exit', (...how) => resolve(how)));
  await (await StandInSystem.of(electron)).closeWindow();
  expect(await exited).toEqual([0, null]);
});
