import { sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { ClientKey } from '../access/client-keys/client-key.ts';
import { testKey } from '../access/http-signatures/testing/signed-requests.ts';
import { SignatureThread } from './signature-thread.ts';

const WORKER = resolve(import.meta.dirname, '../access/http-signatures/worker.ts');
const folder = mkdtempSync(join(tmpdir(), 'paydesk-signatures-'));
const threads: SignatureThread[] = [];
afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.stop()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const threadOf = (file: string): SignatureThread => {
  const thread = new SignatureThread(file);
  threads.push(thread);
  return thread;
};

it('the thread tells genuine signatures from forged ones, each in its place, however many are asked about at once', async () => {
  const { check } = threadOf(WORKER);
  const [mine, other] = [await testKey('mine'), await testKey('other')];
  const asked = Array.from({ length: 100 }, (_, nth) => {
    const base = `"@method": GET ${nth} \u00e9\u00ff`;
    const isGenuine = nth % 3 !== 1;
    return { base, isGenuine, signature: sign(null, Buffer.from(isGenuine ? base : `${base}.`, 'latin1'), mine.privateKey) };
  });
  const answers = async ({ clientKey }: typeof mine) =>
    await Promise.all(asked.map(({ base, signature }) => check(base, clientKey, signature)));
  expect(await answers(mine)).toEqual(asked.map(({ isGenuine }) => isGenuine));
  expect(await answers(other)).toEqual(asked.map(() => false));
  const [first] = asked;
  const spoilt = { ...mine.clientKey, x: 'not a key' };
  const [isSpoilt, isFirst] = await Promise.all([
    check('', spoilt, Buffer.alloc(64)),
    check(first?.base ?? '', mine.clientKey, first?.signature ?? Buffer.alloc(0)),
  ]);
  expect([isSpoilt, isFirst]).toEqual([false, first?.isGenuine]);
});

it('one signature alone wakes no thread', async () => {
  const { check } = threadOf(join(folder, 'none.mjs'));
  const mine = await testKey();
  const signature = sign(null, Buffer.from('base'), mine.privateKey);
  expect(await check('base', mine.clientKey, signature)).toBe(true);
  expect(await check('other', mine.clientKey, signature)).toBe(false);
  expect(await check('base', { ...mine.clientKey, x: 'not a key' }, signature)).toBe(false);
});

/** Asks about so many signatures at once, which the thread checks together. */
const several = (check: SignatureThread['check'], key: ClientKey, base: string, count = 2): Promise<boolean[]> =>
  Promise.all(Array.from({ length: count }, () => check(base, key, Buffer.alloc(64))));

it('a check fails when its thread ends, and the next check has another thread', async () => {
  const file = join(folder, 'mortal.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'; parentPort.on('message', ([, base]) => { if (base === 'die') process.exit(1); else parentPort.postMessage('11'); });`,
  );
  const { check } = threadOf(file);
  const { clientKey } = await testKey();
  await expect(several(check, clientKey, 'die')).rejects.toThrow('has ended');
  expect(await several(check, clientKey, 'live')).toEqual([true, true]);
});

it('a check that the thread cannot answer fails, and so does every check after the end', async () => {
  const thread = threadOf(join(folder, 'none.mjs'));
  const { clientKey } = await testKey();
  await expect(several(thread.check, clientKey, 'a')).rejects.toThrow('has ended');
  const underWay = several(thread.check, clientKey, 'b');
  await Promise.all([thread.stop(), expect(underWay).rejects.toThrow('has ended')]);
  await expect(thread.check('c', clientKey, Buffer.alloc(64))).rejects.toThrow('has ended');
});

it('what comes while the thread is busy is checked in one task', async () => {
  const file = join(folder, 'slow.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
     let tasks = 0;
     parentPort.on('message', (task) => {
       tasks += 1;
       const answer = (tasks <= 2 ? '1' : '0').repeat(task.length / 3);
       setTimeout(() => parentPort.postMessage(answer), 200);
     });`,
  );
  const { check } = threadOf(file);
  const { clientKey } = await testKey();
  const asked = ['first', 'second'].map((base) => check(base, clientKey, Buffer.alloc(64)));
  for (let nth = 0; nth < 5; nth++) {
    await new Promise((resolve) => setImmediate(resolve));
    asked.push(check('later', clientKey, Buffer.alloc(64)));
  }
  expect(await Promise.all(asked)).toEqual(asked.map(() => true));
});
