import { writeFileSync } from 'node:fs';
import { createAccount, salePayer } from '../../support/clients/flows.ts';
import { barriers } from '../../support/pages/barriers.ts';
import { StandInSystem } from '../hosts/stand-in-system.ts';
import { Sections } from '../pages/sections.ts';
import { expect, test } from '../story-fixtures.ts';

/** The wait until the worker has found what it has to print, even on a busy machine, in milliseconds. */
const WITHIN_MS = 30_000;
const COUNTER = { name: 'EPSON_TM_T20', displayName: 'Counter' };
const OFFICE = { name: 'HP_Office', displayName: 'Office' };

test('the desktop app prints receipts without a question on the printer of the computer that was chosen', async ({ desktop, client }) => {
  const { electron, page, operator } = desktop;
  const system = await StandInSystem.of(electron);
  const node = { publicUrl: (await operator.node.info()).publicUrl, operator };
  const shop = await createAccount(node, 'shop', 0n);
  const pay = await salePayer(node, client);
  const sell = async (description: string) => {
    const { id } = await operator.requests.create({
      ...{ requestId: crypto.randomUUID(), accountId: shop.id, madeAt: 'till', amount: 1_250n, description },
    });
    return id;
  };
  await new Sections(page).goTo('Settings');
  const card = page.getByRole('region', { name: 'Receipt printer' });
  const dialog = page.getByRole('dialog');

  // A computer without a printer says so.
  await card.getByRole('button', { name: 'Printer of this computer' }).click();
  await expect(dialog).toContainText('This computer names no printer.');
  await page.keyboard.press('Escape');
  await system.hasPrinters(COUNTER, OFFICE, { ...OFFICE, name: 'HP_Office_2' });
  await card.getByRole('button', { name: 'Printer of this computer' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Choose a printer.');
  await dialog.getByRole('combobox', { name: 'Printer', exact: true }).click();
  // Two printers of one name are told apart.
  await expect(page.getByRole('option')).toHaveText(['Counter', 'Office (HP_Office)', 'Office (HP_Office_2)']);
  await page.getByRole('option', { name: 'Counter' }).click();
  await dialog.getByRole('switch', { name: 'Print each sale at the till by itself' }).click({ force: true });
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(card).toContainText('Printer of this computer');
  await expect(card).toContainText('Ready');

  await card.getByRole('button', { name: 'Print a test receipt' }).click();
  await expect.poll(async () => (await system.prints()).length, { timeout: WITHIN_MS }).toBe(1);
  await expect(card.getByRole('list', { name: 'Queue' })).toContainText('Given to the computer');

  // A sale prints by itself while the console is locked, on a roll that is as long as the receipt.
  const roses = await sell('Two roses');
  await operator.lock.protect({ passphrase: 'seven plain words', settings: { idleMinutes: null, atStart: false } });
  await operator.lock.now();
  await pay(roses, '1250');
  await expect.poll(async () => (await system.prints()).length, { timeout: WITHIN_MS }).toBe(2);
  const [test, receipt] = await system.prints();
  expect([test?.deviceName, receipt?.deviceName]).toEqual([COUNTER.name, COUNTER.name]);
  const [short, long] = [test, receipt].map((one) => (typeof one?.pageSize === 'object' ? one.pageSize : { width: 0, height: 0 }));
  expect([short?.width, long?.width]).toEqual([80_000, 80_000]);
  expect(long?.height).toBeGreaterThan((short?.height ?? 0) + 40_000);
  for (const [name, one] of Object.entries({ test, receipt })) {
    const pdf = Buffer.from(one?.data ?? '', 'base64');
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g), `pages of the ${name}`).toHaveLength(1);
    if (process.env.PAYDESK_PRINTS !== undefined) writeFileSync(`${process.env.PAYDESK_PRINTS}/${name}.pdf`, pdf);
  }
  await expect.poll(async () => (await system.window())?.windows).toBe(1);
  await operator.lock.open({ passphrase: 'seven plain words' });

  // The printer is gone: the sale goes on, its receipt waits, and the card says why.
  await system.hasPrinters({ ...COUNTER, name: 'renamed' });
  const tulips = await sell('Tulips');
  await pay(tulips, '1250');
  await expect.poll(async () => (await operator.requests.get({ id: tulips })).status).toBe('paid');
  const waits = async () => (await operator.printing.ofReceipt({ kind: 'sale', id: tulips })).state;
  await expect.poll(waits, { timeout: WITHIN_MS }).toBe('waiting');
  await expect.poll(async () => (await operator.printing.get()).printer?.silence?.problem, { timeout: WITHIN_MS }).toBe('gone');
  await system.hasPrinters({ ...COUNTER, refuses: true });
  await operator.printing.tryNow();
  await expect.poll(waits, { timeout: WITHIN_MS }).toBe('unsure');
  await system.hasPrinters(COUNTER);
  await operator.printing.tryNow();
  await operator.printing.print({ kind: 'sale', id: tulips });
  await expect.poll(async () => (await system.prints()).length, { timeout: WITHIN_MS }).toBe(3);
  await expect.poll(waits).toBe('printed');
});
