import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../../testing/desk.ts';

describe.each(Object.entries(TRANSPORTS))('the shop over %s', (_name, connect) => {
  let desk: Desk;
  let client: Client;
  let close: () => Promise<void>;
  beforeEach(async () => {
    desk = openDesk();
    ({ client, close } = await connect(desk));
    await desk.account('shop', 1_000n);
  });
  afterEach(async () => {
    await close();
    await desk.close();
  });

  it('closes its day, and refuses who does not know the last closing', async () => {
    const asked = { requestId: randomUUID(), last: 0 };
    const first = await client.closings.close(asked);
    expect(first).toMatchObject({ number: 1, since: null, before: null, isWhole: true });
    expect(first.figures.accounts).toMatchObject([
      { name: 'shop', books: { opening: 0n, deposits: 1_000n, closing: 1_000n, difference: 0n } },
    ]);
    expect(await client.closings.close(asked)).toEqual(first);
    await expect(client.closings.close({ requestId: randomUUID(), last: 0 })).rejects.toMatchObject({ code: 'CLOSED_MEANWHILE' });
    await expect(client.closings.get({ number: 2 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await client.closings.current()).toMatchObject({ last: 1, since: first.at, figures: { accounts: [] } });
    expect((await client.closings.list({})).items).toMatchObject([{ number: 1, hash: first.hash }]);
    const [act] = (await client.activity.list({ limit: 1 })).items;
    expect(act).toMatchObject({ operation: 'closings.close', facts: { number: '1', hash: first.hash } });
  });

  it('has a profile and a logo, and refuses what is no picture', async () => {
    const { profile } = await client.shop.get();
    await client.shop.set({ ...profile, name: 'Books & Tea', dayEndsAt: 180 });
    expect((await client.shop.get()).profile).toMatchObject({ name: 'Books & Tea', dayEndsAt: 180 });
    expect(await client.node.info()).toMatchObject({ dayEndsAt: 180 });
    await expect(client.shop.setLogo({ data: Buffer.from('<svg>').toString('base64') })).rejects.toMatchObject({ code: 'NO_PICTURE' });
    const picture = Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), Buffer.alloc(100_000)]).toString('base64');
    await client.shop.setLogo({ data: picture });
    expect((await client.shop.get()).logo).toBe(`data:image/jpeg;base64,${picture}`);
    await client.shop.removeLogo();
    expect((await client.shop.get()).logo).toBeNull();
  });
});

it('a cashier sees what was sold, and no balances', async () => {
  const desk = openDesk();
  await desk.account('shop', 1_000n);
  const { figures } = await desk.callsAs({ role: 'cashier', isStillIn: async () => true }).closings.current();
  expect(figures.accounts).toMatchObject([{ name: 'shop', sales: 0n, books: null }]);
  await desk.close();
});
