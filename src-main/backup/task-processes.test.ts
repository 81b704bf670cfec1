import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackupProcesses } from './task-processes.ts';
import type { OpenTask } from './tasks.ts';

const ENDLESS_SQL = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-tasks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const task = (): OpenTask => ({
  ...{ kind: 'open', file: join(folder, 'backup.age'), passphrase: '', databaseFile: join(folder, 'restored.db'), migrations: '' },
});

/** @returns the file of a process whose thread runs `code`. */
function taskThat(code: string): string {
  const file = join(folder, 'task.mjs');
  const imported = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  writeFileSync(
    file,
    `import { appendFileSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from ${JSON.stringify(import.meta.resolve('better-sqlite3'))};
import { guardTask } from ${imported('./task-guard.ts')};
if (parentPort === null) guardTask(new URL(import.meta.url));
else { ${code} }`,
  );
  return file;
}

const begun = () => expect.poll(() => existsSync(task().databaseFile), { timeout: 30_000 }).toBe(true);
const STUCK = `writeFileSync(workerData.databaseFile, ''); new Sqlite(':memory:').exec(${JSON.stringify(ENDLESS_SQL)});`;

describe('the process of a task', () => {
  it('writes nothing any more, and tells nobody, once the node has stopped', async () => {
    const tasks = new BackupProcesses({ file: taskThat("setInterval(() => appendFileSync(workerData.databaseFile, '.'), 1)") });
    let told = false;
    const tell = () => {
      told = true;
    };
    tasks.open(task()).then(tell, tell);
    await begun();
    await tasks.stop();
    const written = statSync(task().databaseFile).size;
    await pause(50);
    expect(statSync(task().databaseFile).size).toBe(written);
    expect(told).toBe(false);
  });

  it('is ended when its caller cancels it, even inside a query that never ends', async () => {
    const cancel = new AbortController();
    const opened = new BackupProcesses({ file: taskThat(STUCK) }).open(task(), cancel.signal);
    await begun();
    cancel.abort();
    expect(await opened).toEqual({ ok: false, error: 'cancelled' });
    expect(existsSync(task().databaseFile)).toBe(false);
  });

  it('is ended when its caller cancels it while it copies, and leaves nothing of the copy', async () => {
    const cancel = new AbortController();
    const copies = 'setInterval(() => appendFileSync(workerData.databaseFile, Buffer.alloc(100_000)), 1)';
    const opened = new BackupProcesses({ file: taskThat(copies) }).open(task(), cancel.signal);
    await begun();
    cancel.abort();
    expect(await opened).toEqual({ ok: false, error: 'cancelled' });
    expect(existsSync(task().databaseFile)).toBe(false);
    // Nothing of the process is left that could write it again.
    await pause(50);
    expect(existsSync(task().databaseFile)).toBe(false);
  });

  it('is not started for a caller who has cancelled already', async () => {
    const tasks = new BackupProcesses({ file: taskThat(STUCK) });
    expect(await tasks.open(task(), AbortSignal.abort())).toEqual({ ok: false, error: 'cancelled' });
    expect(existsSync(task().databaseFile)).toBe(false);
  });

  it('is ended when it takes longer than any backup, even inside a query that never ends', async () => {
    const tasks = new BackupProcesses({ file: taskThat(STUCK), limits: { openMs: 1_000 } });
    expect(await tasks.open(task())).toEqual({ ok: false, error: 'unfit' });
    expect(existsSync(task().databaseFile)).toBe(false);
  });

  it.each([
    [
      'native code',
      `new Sqlite(':memory:').exec("create table t as with recursive n(i) as (select 1 union all select i + 1 from n) select i, zeroblob(100000) from n")`,
    ],
    ['buffers', 'const kept = []; for (;;) kept.push(Buffer.alloc(1_000_000, 1));'],
    ['objects', 'const kept = []; for (;;) kept.push({ kept: [] });'],
  ])('is ended when it uses too much memory in %s', async (_name, code) => {
    const tasks = new BackupProcesses({ file: taskThat(code), limits: { mostBytes: 400_000_000 } });
    expect(await tasks.open(task())).toEqual({ ok: false, error: 'unfit' });
  });

  it('refuses a file that makes it end without an answer', async () => {
    const tasks = new BackupProcesses({ file: taskThat('process.abort()') });
    expect(await tasks.open(task())).toEqual({ ok: false, error: 'unfit' });
  });

  it('tells of an unexpected failure', async () => {
    const tasks = new BackupProcesses({
      file: taskThat("parentPort.postMessage({ failed: { error: 'Error', code: 'ENOSPC', at: ['at write'] } })"),
    });
    await expect(tasks.open(task())).rejects.toMatchObject({ message: 'the task failed', code: 'Error ENOSPC at write' });
  });
});
