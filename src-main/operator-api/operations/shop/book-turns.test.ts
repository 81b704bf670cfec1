import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../../platform/result.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../../testing/desk.ts';
import { files, inTurn } from './book-turns.ts';

describe.each(Object.entries(TRANSPORTS))('books that many want at once, over %s', (_name, connect) => {
  let desk: Desk;
  let client: Client;
  let close: () => Promise<void>;
  beforeEach(async () => {
    desk = openDesk();
    ({ client, close } = await connect(desk));
  });
  afterEach(async () => {
    await close();
    await desk.close();
  });

  it('refuse whoever comes after those who wait, with a code that says so, and answer once others are done', async () => {
    const { id: accountId } = await desk.account('shop', 1_000n);
    const period = { accountId, from: '2026-01-01', to: '2026-01-02' };
    const asks = [
      () => client.reports.sales(period),
      () => client.reports.export({ ...period, format: 'csv' }),
      () => client.statements.look(period),
      () => client.statements.export({ ...period, format: 'csv' }),
    ];
    const held = Promise.withResolvers<void>();
    // Two are added up, and eight wait.
    const others = Array.from({ length: 10 }, () => inTurn(async () => ok(await held.promise)));
    try {
      for (const ask of asks) await expect(ask()).rejects.toMatchObject({ code: 'BOOKS_BUSY', status: 503, defined: true });
    } finally {
      held.resolve();
      await Promise.all(others);
    }
    for (const ask of asks) await ask();
  });

  it('refuse a statement while six files are read, and none of the books beside it', async () => {
    const { id: accountId } = await desk.account('shop', 1_000n);
    const period = { accountId, from: '2026-01-01', to: '2026-01-02' };
    const taken = await Promise.all(Array.from({ length: 6 }, () => files.take()));
    const save = async () => {
      for await (const part of await client.statements.export({ ...period, format: 'csv' })) return part.rows;
      return undefined;
    };
    try {
      await expect(save()).rejects.toMatchObject({ code: 'BOOKS_BUSY', status: 503 });
      expect(await client.statements.look(period)).toMatchObject({ assetCode: 'USD' });
    } finally {
      for (const one of taken) if (one.ok) one.value();
    }
    expect(await save()).toBeDefined();
  });
});
