import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { watchFor } from '../support/pages/appearance.ts';
import { type Desk, expect, test } from './fixtures.ts';
import { OverviewPage } from './pages/overview-page.ts';

const IDLE_MS = 10_000;
const NOTICED_WITHIN_MS = 1_000;

/** Makes an account outside the console, and waits for the overview that shows it. */
async function overviewWithAccount({ page, operator }: Desk) {
  const till = { name: 'till', publicName: 'The till', assetCode: 'USD', assetScale: 2 };
  const account = await operator.accounts.create({ requestId: randomUUID(), ...till, openingBalance: 1_000n });
  const overview = new OverviewPage(page);
  // After the first account the console opens the overview instead of the welcome.
  await expect(overview.account('The till')).toContainText('10.00');
  await expect(overview.health).toBeVisible();
  return { overview, account };
}

/** Counts what the page sends to its node from now on: requests, or messages on its port. */
async function countSent(page: Page): Promise<() => Promise<number>> {
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  const messages = await page.evaluateHandle(() => {
    const count = { sent: 0 };
    const send = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function counted(...args: [unknown]) {
      count.sent += 1;
      send.apply(this, args);
    };
    return count;
  });
  return async () => requests + (await messages.evaluate(({ sent }) => sent));
}

test('while nothing happens, the console sends nothing', { tag: '@once' }, async ({ desk }) => {
  await overviewWithAccount(desk);
  const sent = await countSent(desk.page);
  // The page first reads what the last change has led to and fetches the other screens, as fast as the machine can.
  // After that it must be quiet for this long.
  let before = -1;
  const since = async () => {
    const last = before;
    before = await sent();
    return before - last;
  };
  await expect.poll(since, { intervals: [IDLE_MS], timeout: 6 * IDLE_MS }).toBe(0);
  // The counter works, because the page reads again after a change.
  await desk.page.getByRole('link', { name: 'Payments', exact: true }).click();
  await expect.poll(sent).toBeGreaterThan(before);
});

test('what changes in the node is on the page within a second', async ({ desk }) => {
  const { overview, account } = await overviewWithAccount(desk);
  for (const [amount, balance] of [
    [250n, '12.50'],
    [1n, '12.51'],
    [8_749n, '100.00'],
  ] as const) {
    const shown = await watchFor(overview.account('The till'), balance);
    await desk.operator.accounts.deposit({ id: account.id, requestId: randomUUID(), amount, note: 'Cash from the till' });
    const changedAt = Date.now();
    const { at, late } = await shown();
    expect(at - changedAt, `after ${late} ms of the machine's own`).toBeLessThanOrEqual(NOTICED_WITHIN_MS + late);
  }
});
