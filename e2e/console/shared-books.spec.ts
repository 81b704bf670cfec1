import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { testServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { createAccount } from '../support/clients/flows.ts';
import { Cluster } from '../support/nodes/cluster.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { expect, test } from './fixtures.ts';
import { Sections } from './pages/sections.ts';
import { SettingsPage } from './pages/settings-page.ts';

const PASSPHRASE = 'five odd words in a row';

test('a replica backs up its shared database on demand and on schedule, and the page says who restores it, and how', async ({
  newPerson,
  problems,
}) => {
  const server = await testServer();
  if (server === undefined) throw new Error('there is no PostgreSQL');
  const cluster = await Cluster.start(server.url);
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-shared-'));
  const person = await newPerson();
  try {
    const { node, port } = await cluster.add('one');
    cluster.balancer.choose(port);
    await createAccount(node, 'till', 0n);
    const page = await person.newPage();
    problems.watch(page);
    await page.goto(await consoleLink(node));
    await new Sections(page).goTo('Settings');
    const settings = new SettingsPage(page);
    await expect(page.getByRole('region', { name: 'Books in a shared database' })).toContainText('the command restore opens it');
    await expect(settings.restore).toBeHidden();
    await expect(settings.backups).toContainText('If the database server loses its disk');

    await settings.press('Back up now');
    await expect(settings.dialog).toContainText('On the computer of the replica that makes it.');
    await settings.folder.fill(folder);
    await settings.passphrase.fill(PASSPHRASE);
    await settings.again.fill(PASSPHRASE);
    await settings.confirm('Back up now');
    await expect(settings.dialog).toBeHidden();
    await expect(settings.backups).toContainText('By hand');
    await expect(settings.backups.getByText('Made by')).toBeVisible();
    await expect(settings.backups).toContainText(`Replica one on the computer ${hostname()}`);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^paydesk-.*\.age$/)]);

    await settings.press('Set a schedule');
    await expect(settings.dialog).toContainText('One replica makes them for all');
    await settings.folder.fill(folder);
    await settings.passphrase.fill(PASSPHRASE);
    await settings.again.fill(PASSPHRASE);
    await settings.confirm('Set schedule');
    await expect(settings.backups).toContainText('By itself, as scheduled');

    await new Sections(page).goTo('Health');
    await expect(page.getByRole('region', { name: 'Replicas' })).toContainText('Last export: ');
    await expect(page.getByText('The last backup is less than a day old.')).toBeVisible();
  } finally {
    await person.close();
    await cluster.stop();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
