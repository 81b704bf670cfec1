import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearUnfinished, noteUnfinished } from './unfinished.ts';

let folder: string;
let dataFolder: string;
let stick: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-unfinished-'));
  [dataFolder, stick] = [join(folder, 'data'), join(folder, 'stick')];
  for (const one of [dataFolder, stick]) mkdirSync(one);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('what a backup that did not end has left', () => {
  it('is removed, wherever it was made, and nothing beside it', () => {
    const others = ['paydesk-of-another.age.part', 'paydesk-one.age', 'backup-copy.db', 'notes.part'];
    for (const name of ['paydesk-one.age.part', ...others]) writeFileSync(join(stick, name), '');
    noteUnfinished(dataFolder, join(stick, 'paydesk-one.age'));
    clearUnfinished(dataFolder);
    expect(readdirSync(stick).sort()).toEqual(others.sort());
    expect(readdirSync(dataFolder)).toEqual([]);
  });

  it('may be gone already, with its disk, and may be what version 0.1.0 has left in the data folder', () => {
    for (const name of ['backup-copy.db', 'backup-check.db', 'backup-check.db-journal', 'paydesk.db'])
      writeFileSync(join(dataFolder, name), '');
    noteUnfinished(dataFolder, join(folder, 'no-disk', 'paydesk-one.age'));
    clearUnfinished(dataFolder);
    clearUnfinished(dataFolder);
    expect(readdirSync(dataFolder)).toEqual(['paydesk.db']);
  });

  it('is not named by a note that says something else', () => {
    writeFileSync(join(dataFolder, 'backup-unfinished'), join(dataFolder, 'paydesk.db'));
    writeFileSync(join(dataFolder, 'paydesk.db'), '');
    clearUnfinished(dataFolder);
    expect(existsSync(join(dataFolder, 'paydesk.db'))).toBe(true);
  });

  it('is removed when a signal ends the command that makes it, and the command ends as by the signal', async () => {
    const file = join(stick, 'paydesk-one.age');
    writeFileSync(`${file}.part`, '');
    const module = JSON.stringify(join(import.meta.dirname, 'unfinished.ts'));
    const script = `import { clearAtSignals } from ${module};
      clearAtSignals(${JSON.stringify(file)}); setInterval(() => undefined, 1_000); console.log('waits');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
    expect(readdirSync(stick)).toEqual([]);
  });
});
