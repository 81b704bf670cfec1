import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../support/clients/flows.ts';
import { chooseByTyping } from '../support/pages/choosing.ts';
import { Sections } from './pages/sections.ts';
import { SettingsPage } from './pages/settings-page.ts';
import { expect, test } from './story-fixtures.ts';

const PASSPHRASE = 'five odd words in a row';

test('the node makes backups on demand and on schedule, and the page says when, where and how to restore them', async ({
  desk: { page },
  node,
  refused,
}, { project }) => {
  await createAccount(node, 'till', 0n);
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-backups-'));
  try {
    await new Sections(page).goTo('Settings');
    const settings = new SettingsPage(page);
    await expect(settings.backups).toContainText('No backup has been made yet.');
    await settings.press('Back up now');
    await settings.folder.fill(join(folder, 'not-there'));
    await settings.passphrase.fill('too short');
    await settings.confirm('Back up now');
    await expect(settings.dialog).toContainText('Use at least 12 characters.');
    await settings.passphrase.fill(PASSPHRASE);
    await settings.again.fill(`${PASSPHRASE}s`);
    await expect(settings.dialog).toContainText('The two are not the same.');
    await settings.again.fill(PASSPHRASE);
    refused(400);
    await settings.confirm('Back up now');
    await expect(settings.dialog).toContainText('no such folder');
    await settings.folder.fill(folder);
    await settings.confirm('Back up now');
    await expect(settings.dialog).toBeHidden();
    await expect(settings.backups).toContainText('By hand');
    await expect(settings.backups).toContainText(folder);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^paydesk-.*\.age$/)]);

    await settings.press('Set a schedule');
    await settings.folder.fill(folder);
    await settings.passphrase.fill(PASSPHRASE);
    await settings.again.fill(PASSPHRASE);
    await settings.confirm('Set schedule');
    await expect(settings.backups).toContainText('Every day');
    await expect(settings.backups).toContainText('By itself, as scheduled');
    await settings.press('Stop');
    await settings.confirm('Stop');
    await expect(settings.backups).toContainText('Backups are made only when you make them.');
    if (project.name === 'headless') await expect(settings.restore).toContainText('headless -- restore');
    await expect(settings.restore.getByRole('link', { name: 'Restore a backup' })).toBeVisible();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the page shows the node’s configuration and how to change it', async ({ desk: { page }, node }) => {
  await createAccount(node, 'till', 0n);
  await new Sections(page).goTo('Settings');
  const { node: card } = new SettingsPage(page);
  await expect(card).toContainText(node.publicUrl);
  await expect(card).toContainText('Change with --public-url');
  await expect(card).toContainText('10 minutes');
  await expect(card).toContainText((await node.operator.settings.node()).dataFolder);
  // The node was started with a free port. The console shows the port that it got.
  await expect(card).not.toContainText(/:0\b/);
});

test('the shop’s days and times are those of the time zone that the operator chooses', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
}) => {
  await createAccount(node, 'till', 1_000n);
  // 25 hours lie between the two, so their days are never the same.
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const place = timeZone.replaceAll('_', ' ');
    const sections = new Sections(page);
    await sections.goTo('Settings');
    const settings = new SettingsPage(page);
    await chooseByTyping(settings.timeZone, place);
    await expect(page.getByText(`Days and times are now those of ${place}.`)).toBeVisible();
    const info = await operator.node.info();
    expect(info.timeZone).toBe(timeZone);
    const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short', year: 'numeric' }).format(info.now);
    await expect(settings.display).toContainText(day);
    await sections.goTo('Overview');
    await expect(page.getByText(`Since midnight, ${place}`)).toBeVisible();
  }
});
