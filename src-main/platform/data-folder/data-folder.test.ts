import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReportedError } from '../errors.ts';
import { isHeld, openDataFolder, writePrivateFile } from './data-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const mode = (path: string) => statSync(path).mode & 0o777;
const posix = process.platform !== 'win32';

describe('openDataFolder', () => {
  it('makes the folder for its owner only, and leaves no test file in it', () => {
    const path = join(folder, 'a', 'b');
    const lock = openDataFolder(path);
    if (posix) expect(mode(path)).toBe(0o700);
    expect(readdirSync(path).filter((name) => !name.startsWith('paydesk.lock'))).toEqual([]);
    lock.release();
  });

  it('gives the folder to one node at a time', () => {
    const lock = openDataFolder(folder);
    expect(() => openDataFolder(folder)).toThrow(ReportedError);
    expect(() => openDataFolder(folder)).toThrow(`Another paydesk is already running on ${folder}. Stop it first`);
    lock.release();
    openDataFolder(folder).release();
  });

  it('refuses a folder whose database somebody has open, though its lock file is gone', () => {
    const database = new Sqlite(join(folder, 'paydesk.db'));
    database.exec('pragma journal_mode = WAL; create table notes (x)');
    expect(() => openDataFolder(folder)).toThrow(`Another program has the database in ${folder} open`);
    database.close();
    openDataFolder(folder).release();
  });

  it('says which folder cannot be written, for which reason, and what to do', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below')]) {
      expect(() => openDataFolder(path)).toThrow(ReportedError);
      expect(() => openDataFolder(path)).toThrow(
        /^paydesk cannot write into the data folder .* \(E[A-Z]+\)\. Give this user the right to write there, or choose another folder with --data-dir\.$/,
      );
    }
  });

  it('refuses a folder in which the name of the lock file belongs to a folder', () => {
    mkdirSync(join(folder, 'paydesk.lock'));
    expect(() => openDataFolder(folder)).toThrow(/cannot write into the data folder/);
  });
});

describe('isHeld', () => {
  it('says yes only while a node has the lock', () => {
    expect(isHeld(folder)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
    const lock = openDataFolder(folder);
    expect(isHeld(folder)).toBe(true);
    lock.release();
    expect(isHeld(folder)).toBe(false);
    rmSync(join(folder, 'paydesk.lock'));
    mkdirSync(join(folder, 'paydesk.lock'));
    expect(isHeld(folder)).toBe(false);
  });
});

describe('writePrivateFile', () => {
  it('replaces the whole file, and only its owner can read it', () => {
    const path = join(folder, 'secret');
    writeFileSync(path, 'a longer text than the next', { mode: 0o644 });
    writePrivateFile(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    if (posix) expect(mode(path)).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  it('does not follow a link at the name of its temporary file', () => {
    const other = join(folder, 'other');
    writeFileSync(other, 'untouched');
    symlinkSync(other, join(folder, 'secret.new'));
    writePrivateFile(join(folder, 'secret'), 'new');
    expect(readFileSync(other, 'utf8')).toBe('untouched');
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('new');
  });

  it('makes no file when it cannot write the new content', () => {
    const path = join(folder, 'none', 'secret');
    expect(() => writePrivateFile(path, 'new')).toThrow();
    expect(existsSync(path)).toBe(false);
  });
});
