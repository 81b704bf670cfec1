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

  it('tells a hundred accounts of its closing at once', async () => {
    await Promise.all(Array.from({ length: 101 }, (_, nth) => desk.account(`stand-${String(nth).padStart(3, '0')}`, 1n)));
    expect((await client.closings.current()).figures).toMatchObject({ accountCount: 102, accounts: { length: 100 } });
    const { figures, more } = await client.closings.close({ requestId: randomUUID(), last: 0 });
    expect([figures.accounts[0]?.name, figures.accounts.length, figures.accountCount, more]).toEqual(['shop', 100, 102, true]);
    const further = await client.closings.accounts({ number: 1, piece: 1 });
    expect(further).toMatchObject({
      accounts: [{ name: 'stand-099', books: { closing: 1n } }, { name: 'stand-100' }],
      more: false,
      isWhole: true,
    });
    for (const asked of [
      { number: 1, piece: 2 },
      { number: 2, piece: 0 },
    ])
      await expect(client.closings.accounts(asked)).rejects.toMatchObject({ code: 'NOT_FOUND' });
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

it('a cashier sees what was sold, and neither balances nor what was paid out, nor what others have earned', async () => {
  const desk = openDesk();
  const shop = await desk.account('shop', 1_000n);
  const payee = desk.walletAddresses.urlOf(await desk.account('supplier', 0n));
  const [owner, cashier] = [desk.callsAs({ role: 'owner' }), desk.callsAs({ role: 'cashier' })];
  const sale = await owner.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: 70n, madeAt: 'till' });
  for (const [to, send] of [
    [payee, 10n],
    [sale.link, 70n],
  ] as const) {
    const quote = await owner.payments.quote({ requestId: randomUUID(), accountId: shop.id, payee: to, send });
    await desk.finished((await owner.payments.pay({ requestId: randomUUID(), accountId: shop.id, quoteId: quote.id })).id);
  }
  const whole = (await owner.closings.current()).figures;
  expect(whole.people).toMatchObject([{ value: 70n, count: 1 }]);
  const { figures } = await cashier.closings.current();
  const ofShop = { name: 'shop', sales: 70n, salesCount: 1, sent: 0n, books: null };
  expect(figures.accounts.find(({ id }) => id === shop.id)).toMatchObject(ofShop);
  expect(whole.accounts.find(({ id }) => id === shop.id)?.sent).toBeGreaterThan(0n);
  expect(figures).toMatchObject({ people: [], failures: 0, sources: whole.sources });
  const { number } = await owner.closings.close({ requestId: randomUUID(), last: 0 });
  await expect(cashier.closings.get({ number })).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  await expect(cashier.closings.accounts({ number, piece: 0 })).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  await desk.close();
});
