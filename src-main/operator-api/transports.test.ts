import { randomUUID } from 'node:crypto';
import { ORPCError, safe } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { storageWords } from '../../src-shared/words/storage.ts';
import { DatabaseHeld, DatabaseStopped, NotStored } from '../platform/database/database.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from './testing/desk.ts';

/** What the driver of PostgreSQL throws when the server meets a page that is no page. */
const SERVER_DAMAGE = Object.assign(new Error('invalid page in block 0'), { severity: 'ERROR', code: 'XX001' });

describe.each(Object.entries(TRANSPORTS))('the operator contract over %s', (_name, connect) => {
  let desk: Desk;
  let client: Client;
  let disconnect: () => Promise<void>;

  beforeEach(async () => {
    desk = openDesk();
    ({ client, close: disconnect } = await connect(desk));
  });
  afterEach(async () => {
    await disconnect();
    await desk.close();
  });

  const create = (name: string, openingBalance = 0n) =>
    client.accounts.create({ requestId: randomUUID(), name, publicName: name, assetCode: 'USD', assetScale: 2, openingBalance });

  it('carries amounts and times exactly', async () => {
    const account = await create('till', MAX_MOVED);
    expect(account.balance).toBe(9223372036854775807n);
    expect(account.createdAt).toEqual(new Date(desk.clock.now()));
    expect(await client.accounts.list({})).toEqual({ items: [account], nextCursor: null });
    expect(await client.accounts.get({ id: account.id })).toEqual(account);
    const { items } = await client.accounts.movements({ id: account.id });
    expect(items).toMatchObject([{ kind: 'deposit', change: MAX_MOVED, note: 'Opening balance', at: account.createdAt }]);
  });

  it('answers refusals with the errors that the contract defines', async () => {
    const { id } = await create('till', 100n);
    const codeOf = async (work: Promise<unknown>) => {
      const { error } = await safe<unknown, Error>(work);
      return error instanceof ORPCError && error.defined ? error.code : undefined;
    };
    const move = { id, requestId: randomUUID(), note: '' };
    expect(await codeOf(create('till'))).toBe('NAME_TAKEN');
    expect(await codeOf(client.accounts.get({ id: randomUUID() }))).toBe('NOT_FOUND');
    expect(await codeOf(client.accounts.movements({ id: randomUUID() }))).toBe('NOT_FOUND');
    expect(await codeOf(client.accounts.withdraw({ ...move, amount: 101n }))).toBe('INSUFFICIENT_BALANCE');
    expect(await codeOf(client.accounts.deposit({ ...move, amount: MAX_MOVED }))).toBe('TOO_LARGE');
    expect(await codeOf(client.accounts.deposit({ ...move, id: randomUUID(), amount: 1n }))).toBe('NOT_FOUND');
    expect(await codeOf(client.payments.get({ id: randomUUID() }))).toBe('NOT_FOUND');
    expect(await codeOf(client.payments.complete({ id: randomUUID() }))).toBe('NOT_FOUND');
    expect((await client.accounts.get({ id })).balance).toBe(100n);
  });

  it('refuses input that the contract does not allow', async () => {
    const { id } = await create('till');
    const wrong = { requestId: randomUUID(), note: '', id };
    await expect(create('Not A Name')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(client.accounts.deposit({ ...wrong, amount: 0n })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(client.accounts.deposit({ ...wrong, amount: MAX_MOVED + 1n })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(client.payments.list({ cursor: 'somewhere' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(client.accounts.deposit({ ...wrong, amount: 1n, note: 'a\0b' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('shows texts of an earlier version that have a NUL character', async () => {
    const walletAddress = await desk.account('till', 0n);
    const metadata = { description: 'tea\0', items: [{ 'a\0': 1 }] };
    const made = await desk.incomingPayments.create({ walletAddress, client: 'https://shop.example/till', metadata });
    if (!made.ok) throw new Error(made.error);
    expect((await client.payments.list({ unpaid: true })).items).toMatchObject([{ description: 'tea\uFFFD' }]);
    expect(await client.payments.get({ id: made.value.id })).toMatchObject({ metadata: { items: [{ 'a\uFFFD': 1 }] } });
  });

  it('moves money once per request id', async () => {
    const { id } = await create('till', 100n);
    const deposit = { id, requestId: randomUUID(), amount: 50n, note: 'Cash' };
    await client.accounts.deposit(deposit);
    expect((await client.accounts.deposit(deposit)).balance).toBe(150n);
    expect((await client.accounts.withdraw({ ...deposit, requestId: randomUUID(), amount: 150n })).balance).toBe(0n);
  });

  it('completes a payment for the operator, unless it has expired', async () => {
    const walletAddress = await desk.account('till', 0n);
    const ask = async (expiresAt?: number) => {
      const made = await desk.incomingPayments.create({ walletAddress, client: 'https://shop.example/till', expiresAt });
      if (!made.ok) throw new Error(made.error);
      return made.value.id;
    };
    const [open, expired] = [await ask(), await ask(desk.clock.now() + 1)];
    desk.clock.advance(1);
    const completed = await client.payments.complete({ id: open });
    expect(completed).toMatchObject({ id: open, status: 'nothing_received', progress: { value: 0n }, packets: 0 });
    expect(completed.timeline.at(-1)).toMatchObject({ type: 'incoming_payment.completed', body: { by: 'operator' } });
    const { error } = await safe<unknown, Error>(client.payments.complete({ id: expired }));
    expect(error).toMatchObject({ code: 'EXPIRED', defined: true });
    expect((await client.payments.list({ status: 'nothing_received' })).items).toMatchObject([{ id: open }]);
    expect((await client.payments.list({ status: 'paid' })).items).toEqual([]);
    expect((await client.payments.list({})).items).toEqual([]);
    expect((await client.payments.list({ unpaid: true })).items.map(({ id }) => id).sort()).toEqual([open, expired].sort());
  });

  it('hides an unexpected error behind one logged id', async () => {
    vi.spyOn(desk.walletAddresses, 'byId').mockRejectedValue(new Error('select secret_column from wallet_addresses'));
    const { error } = await safe<unknown, Error>(client.accounts.get({ id: randomUUID() }));
    expect(error).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', data: { id: expect.any(String) } });
    expect(JSON.stringify(error)).not.toContain('secret_column');
    expect(error?.stack).not.toContain('secret_column');
    const line = desk.logged.find((text) => text.includes('secret_column'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 50, id: error !== null && 'data' in error && Object(error.data).id });
  });

  it.each([
    ['NOT_STORED', new NotStored('The change could not be stored. Is the disk full?')],
    ['DATABASE_HELD', new DatabaseHeld('Another program holds the database.')],
    ['WRITES_STOPPED', new DatabaseStopped('Check the disk, then restart paydesk.')],
    ['DATABASE_SERVER_DAMAGED', new NotStored(storageWords.damagedAtServer, { cause: SERVER_DAMAGE })],
  ])('says why when nothing can be stored: %s', async (code, why) => {
    vi.spyOn(desk.walletAddresses, 'create').mockRejectedValue(why);
    const { error } = await safe<unknown, Error>(create('till'));
    expect(error).toMatchObject({ code, status: 503, message: why.message });
  });

  it('sends each change in the database', async () => {
    const changes = await client.node.changes();
    const first = await changes.next();
    expect(first.value).toEqual({ position: 0n, topics: [], subjects: [] });
    const next = changes.next();
    const { id } = await create('till');
    expect((await next).value).toEqual({ position: 1n, topics: ['accounts', 'activity'], subjects: [id] });
    await changes.return();
  });

  it('stops listening for changes when the caller goes', async () => {
    const stopped = vi.fn();
    const listen = desk.context.events.listen.bind(desk.context.events);
    vi.spyOn(desk.context.events, 'listen').mockImplementation(async (listener) => {
      const stop = await listen(listener);
      return () => {
        stopped();
        stop();
      };
    });
    const leaving = new AbortController();
    const changes = await client.node.changes(undefined, { signal: leaving.signal });
    await changes.next();
    const waiting = changes.next();
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    await vi.waitFor(() => expect(stopped).toHaveBeenCalledTimes(1), { timeout: 30_000 });
  });

  it('ends every stream when the connection closes', async () => {
    const changes = await client.node.changes();
    await changes.next();
    const waiting = changes.next().then(
      ({ done }) => done,
      () => true,
    );
    await disconnect();
    expect(await waiting).toBe(true);
  });
});
