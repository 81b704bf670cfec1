import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPayments } from '../payments/testing/payments.ts';
import { openSqliteTest } from '../platform/database/testing/sqlite-test.ts';
import { refuse } from '../platform/result.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from './testing/desk.ts';

const PART = Buffer.from('part').toString('base64');

describe.each(Object.entries(TRANSPORTS))('a restore that is cancelled over %s', (_name, connect) => {
  let desk: Desk;
  let client: Client;
  let disconnect: () => Promise<void>;
  beforeEach(async () => {
    desk = openDesk(openPayments({ testDatabase: openSqliteTest() }));
    ({ client, close: disconnect } = await connect(desk));
  });
  afterEach(async () => {
    await disconnect();
    await desk.close();
  });

  const nothingIsLeft = async () => {
    expect(existsSync(join(desk.folder, 'restore-prepared'))).toBe(false);
    expect(await client.accounts.list({})).toMatchObject({ items: [] });
  };

  it('leaves nothing while parts are still to come, and the node goes on', async () => {
    const { id } = await client.restore.begin({ bytes: 8 });
    await client.restore.part({ id, offset: 0, data: PART });
    await client.restore.discard();
    await nothingIsLeft();
    await expect(client.restore.part({ id, offset: 4, data: PART })).rejects.toMatchObject({ code: 'GONE' });
    expect(await client.restore.begin({ bytes: 8 })).toHaveProperty('id');
  });

  it('ends the look into the file when the browser closes its connection, and can be discarded', async () => {
    const { id } = await client.restore.begin({ bytes: 4 });
    await client.restore.part({ id, offset: 0, data: PART });
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { restores } = desk.context;
    if (restores === undefined) throw new Error('the node cannot be restored');
    vi.spyOn(restores, 'look').mockImplementation(async (_wanted, left) => {
      left?.addEventListener('abort', () => ended.resolve());
      begun.resolve();
      await ended.promise;
      return refuse('gone');
    });
    const browser = new AbortController();
    const looking = client.restore.look({ id, passphrase: 'correct horse' }, { signal: browser.signal }).catch(() => 'left');
    await begun.promise;
    browser.abort();
    await ended.promise;
    expect(await looking).toBe('left');
    await client.restore.discard();
    await nothingIsLeft();
  });
});
