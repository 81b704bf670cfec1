import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { GENERATION_FILE, Generation, readNodeState } from './generation.ts';

let dataFolder: string;
let test: TestDatabase;
let generation: Generation;
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'paydesk-generation-'));
  test = openTestDatabase();
  generation = new Generation({ database: test.database, dataFolder });
});
afterEach(async () => {
  await test.dispose();
  rmSync(dataFolder, { recursive: true });
});

const fileSays = (text: string) => writeFileSync(join(dataFolder, GENERATION_FILE), text);
const stored = async () => (await readNodeState(test.database))?.generation;

it('a new node is no copy, and one that goes on in its own folder is none either', async () => {
  expect(await generation.isCopy()).toBe(false);
  for (const expected of [1, 2, 3]) {
    await generation.advance();
    expect([await stored(), await generation.isCopy()]).toEqual([expected, false]);
  }
});

it('a database that is one generation older than the file says is a copy, and is none after the next generation', async () => {
  await generation.advance();
  fileSays('2\n');
  expect(await generation.isCopy()).toBe(true);
  expect(await generation.next()).toBe(3);
  await generation.advance();
  expect([await stored(), await generation.isCopy()]).toEqual([3, false]);
});

it('a database that is ahead of the file is no copy: the node was killed before it wrote the file', async () => {
  await generation.advance();
  await generation.advance();
  fileSays('1\n');
  expect(await generation.isCopy()).toBe(false);
  expect(await generation.next()).toBe(3);
});

it.each(['one\n', '-1\n', '1.5\n'])('a database beside a file that says %j has come from another folder', async (text) => {
  await generation.advance();
  fileSays(text);
  expect(await generation.isCopy()).toBe(true);
});

it('a database without a file beside it has come from another folder', async () => {
  await generation.advance();
  rmSync(join(dataFolder, GENERATION_FILE));
  expect(await generation.isCopy()).toBe(true);
});

it('a database whose first start was cut short before the file had the count is no copy', async () => {
  const remember = generation.remember.bind(generation);
  vi.spyOn(generation, 'remember').mockImplementation((count) => {
    if (count > 0) throw new Error('a power cut');
    remember(count);
  });
  await expect(generation.advance()).rejects.toThrow('a power cut');
  expect([await stored(), await generation.isCopy()]).toEqual([1, false]);
});
