import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, type Desk, openDesk, TRANSPORTS } from './testing/desk.ts';

let desk: Desk;
beforeEach(() => {
  desk = openDesk();
  Object.assign(desk.context, { backups: undefined, restores: undefined });
  desk.context.about.database = 'db.example:5432/paydesk';
});
afterEach(() => desk.close());

describe.each(Object.entries(TRANSPORTS))('with a shared database, over %s', (_, open) => {
  let client: Client;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ client, close } = await open(desk));
  });
  afterEach(() => close());

  it('the console hears where the books are, and that no details go into an archive', async () => {
    expect(await client.node.info()).toMatchObject({ database: 'db.example:5432/paydesk' });
    expect(await client.settings.node()).toMatchObject({ database: 'db.example:5432/paydesk', archiveDays: null });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the page of backups', () => client.backups.status()],
    ['a backup', () => client.backups.make({ folder: '/backups', passphrase: 'a long passphrase' })],
    ['a restore', () => client.restore.begin({ bytes: 1 })],
  ])('%s is refused with what to do instead', async (_words, call) => {
    await expect(call()).rejects.toMatchObject({ code: 'SHARED_BOOKS', status: 409, message: expect.stringContaining('pg_dump') });
  });
});
