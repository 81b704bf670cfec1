import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBooks, unfinished } from '../../support/books/books.ts';
import { createAccount } from '../../support/clients/flows.ts';
import { browser, expect, test } from '../fixtures.ts';
import { type DesktopApp, startDesktopApp } from '../hosts/desktop-app.ts';
import { StandInSystem } from '../hosts/stand-in-system.ts';

// Each packet carries a cent, so that a payment is still under way while the app is asked to quit.
const FLAGS = ['--max-packet-amount', '1'];
const QUESTION = 'A payment is under way. Quit all the same?';

/**
 * Begins to pay `cents` from one account to another.
 * @returns the id of the payment.
 */
async function beginPayment({ operator }: DesktopApp, cents: bigint): Promise<string> {
  const node = { publicUrl: (await operator.node.info()).publicUrl, operator };
  const [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', cents)];
  const requestId = crypto.randomUUID();
  const quote = await operator.payments.quote({ requestId, accountId: buyer.id, payee: shop.walletAddress, send: cents });
  const { id } = await operator.payments.pay({ requestId: crypto.randomUUID(), accountId: buyer.id, quoteId: quote.id });
  return id;
}

const wishToQuit = ({ electron }: DesktopApp) => electron.evaluate(({ app }) => app.quit());

test('quitting asks while a payment is under way, and a payment that was cut short continues at the next start', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'paydesk-e2e-'));
  const app = await startDesktopApp(browser(), FLAGS, { profile });
  const system = await StandInSystem.of(app.electron);
  const id = await beginPayment(app, 20_000n);
  const exited = once(app.electron.process(), 'exit');
  await wishToQuit(app);
  await expect.poll(() => system.questions()).toEqual([QUESTION]);
  await system.answer('Do not quit');
  await wishToQuit(app);
  await expect.poll(() => system.questions()).toEqual([QUESTION, QUESTION]);
  await system.answer('Quit anyway: they continue at the next start');
  expect(await exited).toEqual([0, null]);
  // The app did not wait for the payment.
  expect(readBooks({ dataDir: join(profile, 'node') }, unfinished)).toBe(1);
  expect(app.log.join('')).toContain('the node has stopped');

  const again = await startDesktopApp(browser(), [], { profile });
  const before = await again.operator.payments.get({ id });
  expect(before.status).not.toBe('failed');
  await expect.poll(async () => (await again.operator.payments.get({ id })).status).toBe('completed');
  expect((await again.operator.payments.get({ id })).progress.value).toBe(20_000n);
  await again.quit();
  rmSync(profile, { recursive: true });
});

test('quitting again while the question is open asks it again, and never after the answer', { tag: '@long' }, async () => {
  const app = await startDesktopApp(browser(), FLAGS);
  const system = await StandInSystem.of(app.electron);
  await beginPayment(app, 20_000n);
  await wishToQuit(app);
  await expect.poll(() => system.questions()).toEqual([QUESTION]);
  await wishToQuit(app);
  await expect.poll(() => system.questions()).toEqual([QUESTION, QUESTION]);
  const exited = once(app.electron.process(), 'exit');
  await system.answer('Quit anyway: they continue at the next start');
  expect(await exited).toEqual([0, null]);
  rmSync(app.profile, { recursive: true });
});

test('the question brings the window to the front, and is asked again when the page crashes', { tag: '@long' }, async () => {
  const app = await startDesktopApp(browser(), FLAGS);
  const system = await StandInSystem.of(app.electron);
  await beginPayment(app, 20_000n);
  await system.closeWindow();
  expect(await system.window()).toMatchObject({ visible: false });
  await wishToQuit(app);
  await expect.poll(() => system.questions()).toEqual([QUESTION]);
  expect(await system.window()).toMatchObject({ visible: true, focused: true });
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
  await expect.poll(() => system.questions()).toEqual([QUESTION, QUESTION]);
  const exited = once(app.electron.process(), 'exit');
  await system.answer('Quit anyway: they continue at the next start');
  expect(await exited).toEqual([0, null]);
  expect(readBooks({ dataDir: join(app.profile, 'node') }, unfinished)).toBe(1);
  rmSync(app.profile, { recursive: true });
});

test('an app that is told to wait quits when the payment is done', { tag: '@long' }, async () => {
  const profile = mkdtempSync(join(tmpdir(), 'paydesk-e2e-'));
  const app = await startDesktopApp(browser(), FLAGS, { profile });
  const system = await StandInSystem.of(app.electron);
  const id = await beginPayment(app, 1_500n);
  const exited = once(app.electron.process(), 'exit');
  await wishToQuit(app);
  await expect.poll(() => system.questions()).toEqual([QUESTION]);
  await system.answer('Wait until they are done, then quit');
  expect(await exited).toEqual([0, null]);

  const again = await startDesktopApp(browser(), [], { profile });
  expect((await again.operator.payments.get({ id })).status).toBe('completed');
  await again.quit();
  rmSync(profile, { recursive: true });
});

test('the app asks nothing when the computer shuts down or the process is told to end', { tag: '@long' }, async () => {
  for (const how of ['shutdown', 'session-end', 'SIGTERM'] as const) {
    const app = await startDesktopApp(browser(), FLAGS);
    await beginPayment(app, 20_000n);
    const exited = once(app.electron.process(), 'exit');
    const system = await StandInSystem.of(app.electron);
    if (how === 'shutdown') await system.report('shutdown');
    else if (how === 'session-end')
      await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.emit('session-end'));
    else app.electron.process().kill('SIGTERM');
    expect(await exited, how).toEqual([0, null]);
    rmSync(app.profile, { recursive: true });
  }
});
