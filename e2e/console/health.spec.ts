import { readFileSync } from 'node:fs';
import { createAccount } from '../support/clients/flows.ts';
import { HealthPage } from './pages/health-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

test('the node checks whether the world can reach it, and says what to do', async ({ desk: { page }, node }) => {
  await createAccount(node, 'rosebud', 123_456n);
  await new Sections(page).goTo('Health');
  const health = new HealthPage(page);
  await expect(health.checks.filter({ hasText: 'Books' })).toContainText('Good');
  await expect(health.checks.filter({ hasText: 'Activity log' })).toContainText('Good');
  await health.press('Try now');
  await expect(health.outcome).toBeVisible();
  await expect(health.steps).toHaveText([
    /Public address.*Look at this.*--public-url/s,
    /Name.*Good/s,
    /Port.*Good/s,
    /Certificate.*Good/s,
    /Clock.*Good/s,
    /Signed request.*Good.*signature is found right/s,
  ]);
  await health.press('Try again');
  await expect(health.outcome).toBeVisible();
});

test('the operator reads and searches the log, and a support bundle tells nothing about people and money', async ({
  desk: { page },
  node,
}) => {
  const { walletAddress } = await createAccount(node, 'rosebud', 123_456n);
  await new Sections(page).goTo('Health');
  const health = new HealthPage(page);
  await health.openLog();
  await expect(health.lines.filter({ hasText: 'the node is ready' })).toHaveCount(1);
  await health.logSearch.fill('nothing like this');
  await expect(page.getByText('No line matches')).toBeVisible();
  await new Sections(page).goTo('Health');
  await health.press('Make a support bundle');
  await expect(health.dialog).toContainText('Not in it: names, amounts');
  const saved = page.waitForEvent('download');
  await health.confirm('Make and download');
  const bundle = readFileSync(await (await saved).path(), 'utf8');
  expect(JSON.parse(bundle)).toMatchObject({ counts: { accounts: 1 }, health: { ledger: 'good' }, log: expect.any(Array) });
  for (const trace of ['rosebud', '123456', walletAddress, new URL(node.publicUrl).host]) expect(bundle).not.toContain(trace);
});

test('the operator sees what takes how much room on the disk, and what goes by itself', { tag: '@long' }, async ({
  desk: { page },
  node,
}) => {
  await createAccount(node, 'rosebud', 123_456n);
  await new Sections(page).goTo('Health');
  const health = new HealthPage(page);
  await expect(health.kinds.filter({ hasText: 'Books' })).toContainText(/kB|MB/);
  await expect(page.getByText('Requests of apps that nobody paid: 30 days after their end')).toBeVisible();
  await expect(page.getByText('How fast the database grows is known tomorrow.')).toBeVisible();
});
