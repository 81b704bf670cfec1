import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, type Desk, openDesk, TRANSPORTS } from './testing/desk.ts';

let desk: Desk;
beforeEach(() => {
  desk = openDesk();
  Object.assign(desk.context, { restores: undefined });
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

  it('the console hears where the books are, and when details go into the archive', async () => {
    expect(await client.node.info()).toMatchObject({ database: 'db.example:5432/paydesk' });
    expect(await client.settings.node()).toMatchObject({ database: 'db.example:5432/paydesk', archiveDays: 90 });
  });

  it('a restore is refused with what to do instead', async () => {
    const refused = { code: 'SHARED_BOOKS', status: 409, message: expect.stringContaining('in a data folder, without --database') };
    await expect(client.restore.begin({ bytes: 1 })).rejects.toMatchObject(refused);
  });
});
