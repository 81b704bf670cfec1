import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashSecret } from '../../access/secrets.ts';
import { openPayments } from '../../payments/testing/payments.ts';
import { openSqliteTest } from '../../platform/database/testing/sqlite-test.ts';
import { newSecret } from '../../platform/ids.ts';
import { type Desk, openDesk } from '../testing/desk.ts';

const PASSPHRASE = 'correct horse battery staple';

let folder: string;
let desk: Desk;
let file: Buffer;
let restores: Desk['context']['restores'];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-restores-'));
  // A backup is a copy of SQLite's file.
  desk = openDesk(openPayments({ testDatabase: openSqliteTest() }));
  restores = desk.context.restores;
  await desk.api.calls.accounts.create({
    ...{ requestId: crypto.randomUUID(), name: 'till', publicName: 'The till', assetCode: 'USD', assetScale: 2, openingBalance: 12_345n },
  });
  const made = await desk.context.backups.make({ folder, passphrase: PASSPHRASE });
  file = readFileSync(made.ok ? made.value.file : '');
});
afterEach(async () => {
  await desk.close();
  rmSync(folder, { recursive: true });
});

const look = (id: string, passphrase = PASSPHRASE) => restores.look({ id, passphrase, secretHash: 'hash' });

function begin(bytes = file): string {
  const begun = restores.begin(bytes.length);
  if (!begun.ok) throw new Error(begun.error);
  return begun.value.id;
}

async function handOver(bytes = file): Promise<string> {
  const id = begin(bytes);
  for (let offset = 0; offset < bytes.length; offset += 100_000) {
    expect(await restores.part({ id, offset, data: bytes.subarray(offset, offset + 100_000) })).toMatchObject({ ok: true });
  }
  return id;
}

describe('a backup that is handed over', () => {
  it('shows what is in it and changes nothing in the node', async () => {
    const before = await desk.api.calls.accounts.list({});
    const looked = await look(await handOver());
    expect(looked).toMatchObject({
      ok: true,
      value: {
        payments: 0,
        accounts: [{ name: 'till', publicName: 'The till', assetCode: 'USD', assetScale: 2, balance: 12_345n, reserved: 0n }],
      },
    });
    expect(await desk.api.calls.accounts.list({})).toEqual(before);
    expect(await restores.discard()).toBe(true);
    expect(existsSync(join(desk.folder, 'restore-prepared'))).toBe(false);
  });

  it('may send a part again, but must send the parts in order', async () => {
    const id = begin();
    const [first, second] = [file.subarray(0, 1_000), file.subarray(1_000)];
    expect(await restores.part({ id, offset: 1_000, data: second })).toEqual({ ok: false, error: 'out_of_order' });
    expect(await restores.part({ id, offset: 0, data: first })).toEqual({ ok: true, value: 1_000 });
    expect(await restores.part({ id, offset: 0, data: first })).toEqual({ ok: true, value: 1_000 });
    expect(await look(id)).toEqual({ ok: false, error: 'unfinished' });
    expect(await restores.part({ id, offset: 1_000, data: Buffer.concat([second, first]) })).toEqual({ ok: false, error: 'out_of_order' });
    expect(await restores.part({ id, offset: 1_000, data: second })).toEqual({ ok: true, value: file.length });
    expect(await look(id)).toMatchObject({ ok: true });
  });

  it('opens only with its passphrase, which the operator may try again', async () => {
    const id = await handOver();
    expect(await look(id, 'another one')).toEqual({ ok: false, error: 'locked' });
    expect(restores.prepare(id)).toEqual({ ok: false, error: 'not_opened' });
    expect(await look(id)).toMatchObject({ ok: true });
    // A wrong passphrase also ends what the right one has prepared.
    expect(await look(id, 'another one')).toEqual({ ok: false, error: 'locked' });
    expect(restores.prepare(id)).toEqual({ ok: false, error: 'not_opened' });
  });

  it('is refused when it is damaged or is not a backup', async () => {
    const flipped = Buffer.from(file);
    flipped[flipped.length - 100] = (flipped.at(-100) ?? 0) ^ 1;
    expect(await look(await handOver(flipped))).toEqual({ ok: false, error: 'damaged' });
    expect(await look(await handOver(Buffer.from('no backup at all')))).toEqual({ ok: false, error: 'no_backup' });
    expect(readdirSync(join(desk.folder, 'restore-prepared'))).toEqual(['backup.age']);
  });

  it('is gone when another one begins', async () => {
    const id = await handOver();
    begin();
    expect(await restores.part({ id, offset: 0, data: file })).toEqual({ ok: false, error: 'gone' });
    expect(await look(id)).toEqual({ ok: false, error: 'gone' });
    expect(restores.prepare(id)).toEqual({ ok: false, error: 'gone' });
  });

  it('cannot be changed between the decision and its record, and waits again when the record could not be written', async () => {
    const id = await handOver();
    await look(id);
    expect(restores.prepare(id)).toMatchObject({ ok: true });
    expect(await look(id)).toEqual({ ok: false, error: 'busy' });
    expect(restores.begin(10)).toEqual({ ok: false, error: 'busy' });
    expect(restores.prepare(id)).toEqual({ ok: false, error: 'gone' });
    expect(await restores.discard()).toBe(false);
    expect(readdirSync(join(desk.folder, 'restore-prepared')).toSorted()).toEqual(['backup.age', 'node-secrets.json', 'paydesk.db']);
    restores.release(id);
    expect(restores.prepare(id)).toMatchObject({ ok: true });
  });

  it('takes the place of the node after the node has stopped, and until then no other backup can begin', async () => {
    const id = await handOver();
    await look(id);
    const ready = restores.prepare(id);
    if (!ready.ok) throw new Error(ready.error);
    restores.decide(ready.value);
    expect(restores.begin(10)).toEqual({ ok: false, error: 'busy' });
    expect(await restores.discard()).toBe(false);
    expect(existsSync(join(desk.folder, 'paydesk.db'))).toBe(false);
    restores.putInPlace();
    expect(existsSync(join(desk.folder, 'paydesk.db'))).toBe(true);
    expect(existsSync(join(desk.folder, 'restore-prepared'))).toBe(false);
    expect(restores.last()).toMatchObject({ id, keptAside: ready.value.keptAside });
    expect(restores.returning()).toMatchObject({ secretHash: 'hash' });
    desk.clock.advance(10 * 60_000);
    expect(restores.returning()).toBeUndefined();
  });

  it('lets the browser that asked for it in once, even when the console could not listen at first', async () => {
    const secret = newSecret();
    const id = await handOver();
    await restores.look({ id, passphrase: PASSPHRASE, secretHash: hashSecret(secret) });
    const ready = restores.prepare(id);
    if (!ready.ok) throw new Error(ready.error);
    restores.decide(ready.value);
    restores.putInPlace();
    const first = await desk.startConsole();
    const other = openDesk();
    const taken = Number(new URL(first.url).port);
    await first.close();
    const blocker = await other.startConsole(taken);
    await expect(desk.startConsole(taken)).rejects.toThrow('cannot listen');
    await blocker.close();
    const running = await desk.startConsole(taken);
    const signIn = () =>
      fetch(`${running.url}/operator/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-paydesk-console': '1', origin: running.url },
        body: JSON.stringify({ secret }),
      });
    expect((await signIn()).status).toBe(201);
    expect((await signIn()).status).not.toBe(201);
    await running.close();
    // The next start does not accept the secret either.
    const next = await desk.startConsole(taken);
    expect((await signIn()).status).not.toBe(201);
    await next.close();
    await other.close();
  });
});

describe('a node with a lock', () => {
  const OWN = 'four plain words here';

  it('is replaced only for an operator who knows its passphrase, and counts wrong ones like those to unlock it', async () => {
    const { calls } = desk.api;
    const { id } = await calls.restore.begin({ bytes: file.length });
    for (let offset = 0; offset < file.length; offset += 100_000) {
      await calls.restore.part({ id, offset, data: file.subarray(offset, offset + 100_000).toString('base64') });
    }
    await calls.restore.look({ id, passphrase: PASSPHRASE });
    await calls.lock.protect({ passphrase: OWN, settings: { idleMinutes: null, atStart: false } });
    const start = (lockPassphrase?: string) => calls.restore.start({ id, confirm: 'restore', ...(lockPassphrase && { lockPassphrase }) });
    await expect(start()).rejects.toMatchObject({ code: 'PASSPHRASE_NEEDED', status: 403 });
    for (let wrong = 0; wrong < 3; wrong += 1)
      await expect(start(PASSPHRASE)).rejects.toMatchObject({ code: 'WRONG_PASSPHRASE', data: { secondsLeft: 0 } });
    await expect(start('guess')).rejects.toMatchObject({ code: 'WRONG_PASSPHRASE', data: { secondsLeft: 5 } });
    await expect(start(OWN)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS', status: 429 });
    await expect(calls.lock.open({ passphrase: OWN })).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    expect(existsSync(join(desk.folder, 'restore.json'))).toBe(false);
    desk.clock.advance(5_000);
    expect(await start(OWN)).toMatchObject({ keptAside: expect.stringContaining('replaced-') });
    expect((await calls.lock.state()).secondsLeft).toBe(0);
  });

  it('asks for no passphrase when it has none', async () => {
    const id = await handOver();
    await look(id);
    expect(await desk.api.calls.restore.start({ id, confirm: 'restore' })).toMatchObject({ keptAside: expect.any(String) });
  });
});
