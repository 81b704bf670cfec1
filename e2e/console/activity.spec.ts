import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createAccount } from '../support/clients/flows.ts';
import { ActivityPage } from './pages/activity-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

test('everything the operator does is logged, found by filters in the URL, and exported', async ({ desk: { page, operator }, node }) => {
  const till = await createAccount(node, 'till', 0n);
  await createAccount(node, 'safe', 0n);
  await operator.accounts.deposit({ id: till.id, requestId: randomUUID(), amount: 1_250n, note: '=1+1' });
  await new Sections(page).goTo('Activity');
  const activity = new ActivityPage(page);
  await expect(activity.entries.first()).toContainText('Recorded a deposit of US$12.50 into The till');
  await expect(activity.entries.first()).toContainText('“=1+1”');

  // What the operator does elsewhere appears without a reload.
  await operator.accounts.withdraw({ id: till.id, requestId: randomUUID(), amount: 50n, note: '' });
  await expect(activity.entries.first()).toContainText('Recorded a withdrawal of US$0.50 from The till');

  await activity.choose('Kind', 'Accounts and keys');
  await expect(activity.entries).toHaveText([/Opened the account The safe/, /Opened the account The till/]);
  await activity.choose('Account', 'The till (USD)');
  await expect(activity.entries).toHaveCount(1);
  await page.reload();
  await expect(activity.entries).toHaveText([/Opened the account The till/]);
  await activity.search.fill('nothing like this');
  await expect(activity.nothing).toBeVisible();
  await activity.clear();
  await activity.choose('Kind', 'Money in and out');
  await expect(activity.entries).toHaveCount(2);

  const saved = page.waitForEvent('download');
  await activity.export();
  const csv = readFileSync(await (await saved).path(), 'utf8');
  expect(csv.split('\r\n').slice(0, 3)).toEqual([
    '\uFEFF"number","time","operation","account","subject","facts","hash","by_kind","by_id","by_name","by_role"',
    expect.stringContaining('"accounts.withdraw","The till"'),
    expect.stringContaining('"accounts.deposit","The till"'),
  ]);
  expect(csv).not.toContain('"=');
  const [newest] = (await operator.activity.list({})).items;
  expect(newest).toMatchObject({ operation: 'activity.export', facts: { kind: 'money' } });
});
