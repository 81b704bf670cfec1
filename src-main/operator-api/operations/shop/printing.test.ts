import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { healthText } from '../../../../src-shared/words/health.ts';
import { findIncomingPayment, receive } from '../../../payments/incoming/incoming-payments.ts';
import { notePrinter, readPrinter } from '../../../printing/printer.ts';
import { printerHealth } from '../../queries/health/printer-health.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';

const PRINTER = { name: 'Counter', host: '192.168.1.50', port: 9_100, paper: 'roll58', language: 'de', printsSales: false } as const;

let desk: Desk;
beforeEach(() => {
  desk = openDesk();
});
afterEach(() => desk.close());

const as = (role: 'owner' | 'manager' | 'cashier' | 'accountant') => desk.callsAs({ role, isStillIn: async () => true });

/** A paid sale with its receipt. */
async function sold() {
  const { id: accountId } = (await desk.walletAddresses.byName('shop')) ?? (await desk.account('shop', 0n));
  const { id } = await as('owner').requests.create({ requestId: randomUUID(), accountId, amount: 450n, madeAt: 'till' });
  await desk.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, id);
    if (payment !== undefined) await receive(tx, payment, 450n, desk.clock.now());
  });
  const of = { kind: 'sale' as const, id };
  const { content } = await as('owner').receipts.issue(of);
  return { of, number: content?.number ?? '' };
}

describe('the receipt printer', () => {
  it('is set, shown and removed by managers; everybody else reads its name and whether it answers', async () => {
    expect(await as('manager').printing.get()).toEqual({ printer: null, waiting: 0, jobs: [] });
    expect(await as('cashier').printing.state()).toEqual({ name: null, isSilent: false });
    await as('manager').printing.set(PRINTER);
    expect(await as('owner').printing.get()).toEqual({ printer: { ...PRINTER, silence: null }, waiting: 0, jobs: [] });
    expect(await as('accountant').printing.state()).toEqual({ name: 'Counter', isSilent: false });
    for (const role of ['cashier', 'accountant'] as const) {
      const { get, set, remove, test, tryNow } = as(role).printing;
      for (const call of [() => get(), () => set(PRINTER), () => remove({}), () => test({}), () => tryNow({})])
        await expect(call()).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    }
    await as('manager').printing.remove({});
    await expect(as('manager').printing.remove({})).rejects.toMatchObject({ code: 'NO_PRINTER' });
    await expect(as('manager').printing.test({})).rejects.toMatchObject({ code: 'NO_PRINTER' });
  });

  it.each(['http://printer', 'a b', '', '192.168.1.50/x', 'ключ'])('is not set with the address “%s”', async (host) => {
    await expect(as('manager').printing.set({ ...PRINTER, host })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('gets the receipts of sales from the till and the console, once while they wait, and a print is cancelled', async () => {
    const { of, number } = await sold();
    await expect(as('cashier').printing.print(of)).rejects.toMatchObject({ code: 'NO_PRINTER' });
    await as('manager').printing.set(PRINTER);
    expect(await as('cashier').printing.ofReceipt(of)).toEqual({ state: null, isSilent: false, isOfComputer: false });
    const job = await as('cashier').printing.print(of);
    expect(job).toMatchObject({ receipt: { ...of, number }, state: 'waiting', endedAt: null });
    expect(await as('manager').printing.print(of)).toEqual(job);
    expect(await as('accountant').printing.ofReceipt(of)).toEqual({ state: 'waiting', isSilent: false, isOfComputer: false });
    expect(await as('manager').printing.get()).toMatchObject({ waiting: 1, jobs: [job] });
    await expect(as('accountant').printing.print(of)).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    await expect(as('cashier').printing.cancel({ id: job.id })).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    expect(await as('manager').printing.cancel({ id: job.id })).toMatchObject({ state: 'cancelled' });
    await expect(as('manager').printing.cancel({ id: job.id })).rejects.toMatchObject({ code: 'PRINT_BEGUN' });
    await expect(as('manager').printing.cancel({ id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(as('manager').printing.print({ kind: 'sale', id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('gets from a cashier no receipt that a cashier may not see', async () => {
    await as('manager').printing.set(PRINTER);
    const shop = await desk.account('shop', 0n);
    const amount = { value: 450n, assetCode: shop.assetCode, assetScale: shop.assetScale };
    const ofApp = await desk.context.incomingPayments.create({
      walletAddress: shop,
      client: 'https://app.example',
      incomingAmount: amount,
    });
    if (!ofApp.ok) throw new Error(ofApp.error);
    await desk.database.write((tx) => receive(tx, ofApp.value, 450n, desk.clock.now()));
    const of = { kind: 'sale', id: ofApp.value.id } as const;
    await as('manager').receipts.issue(of);
    await as('manager').printing.print(of);
    await expect(as('cashier').printing.print(of)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect([(await as('manager').printing.ofReceipt(of)).state, (await as('cashier').printing.ofReceipt(of)).state]).toEqual([
      'waiting',
      null,
    ]);
  });
});

it('the health speaks of a printer that has taken nothing for ten minutes while something waits', async () => {
  await as('manager').printing.set(PRINTER);
  const silentFor = async (minutes: number) => {
    const since = desk.clock.now() - minutes * 60_000;
    await desk.database.write((tx) => notePrinter(tx, { tries: 3, nextTryAt: since, unansweredSince: since, problem: 'no_answer' }));
    return await printerHealth(desk.context);
  };
  expect(await silentFor(20)).toEqual([]);
  await as('manager').printing.test({});
  expect(await silentFor(9)).toEqual([]);
  const [check] = await silentFor(10);
  expect(check).toMatchObject({ name: 'printer', state: 'warning', printer: 'Counter', problem: 'no_answer', waiting: 1 });
  expect(check && healthText(check)).toMatch(/^One receipt waits for the printer Counter, .* Is it switched on/);
  await as('manager').printing.tryNow({});
  expect(await readPrinter(desk.database.read)).toMatchObject({ tries: 0, nextTryAt: null });
});
