import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BackupThreads } from './backups.ts';

/** A thread that writes for as long as it runs. */
const ENDLESS = `import { appendFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
setInterval(() => appendFileSync(workerData.file, '.'), 1);`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-threads-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const task = () => ({ kind: 'open', file: join(folder, 'written'), passphrase: '', databaseFile: '', migrations: '' }) as const;

it('a backup thread writes nothing and tells nobody once the node has stopped', async () => {
  const workerFile = join(folder, 'endless.mjs');
  writeFileSync(workerFile, ENDLESS);
  const threads = new BackupThreads(workerFile);
  let told = false;
  const tell = () => {
    told = true;
  };
  threads.run(task()).then(tell, tell);
  await expect.poll(() => existsSync(task().file)).toBe(true);
  await threads.stop();
  const written = statSync(task().file).size;
  await pause(50);
  expect(statSync(task().file).size).toBe(written);
  expect(told).toBe(false);
});

it('a backup thread that ends without an answer makes its task fail', async () => {
  const workerFile = join(folder, 'silent.mjs');
  writeFileSync(workerFile, '');
  await expect(new BackupThreads(workerFile).run(task())).rejects.toThrow('without an answer');
});
