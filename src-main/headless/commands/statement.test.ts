import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { z } from '../../../src-shared/zod.ts';
import { ReportedError } from '../../platform/errors.ts';
import { readCommandLine } from '../../platform/settings/config.ts';
import { periodOf, statement } from './statement.ts';

let folder: string;
let asked: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-statement-'));
  asked = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A node with two accounts, of which a file consists of these pieces. */
const nodeWith = (pieces: readonly string[], fails = false) => ({
  request: async <T>(_method: string, _path: string, answer: z.ZodType<T>): Promise<T> =>
    answer.parse({
      items: [
        { id: 'id-of-shop-2', name: 'shop-2' },
        { id: 'id-of-shop', name: 'shop' },
      ],
      nextCursor: null,
    }),
  async *download(path: string) {
    asked.push(path);
    for (const piece of pieces) yield Buffer.from(piece);
    if (fails) throw new Error('aborted');
  },
});
const typed = (...words: string[]) => {
  const line = readCommandLine(['statement', '--data-dir', folder, ...words]);
  if (line.command !== 'statement') throw new Error('another command');
  return line;
};
const out = () => join(folder, 'out.xml');

it('writes the file of the account with exactly this name, under its name only once it is whole', async () => {
  const line = typed('--account', 'shop', '--month', '2026-11', '--format', 'camt053', '--out', out());
  const answer = await statement(nodeWith(['<a>', '</a>']), line);
  expect(readFileSync(out(), 'utf8')).toBe('<a></a>');
  expect(answer).toEqual({ lines: [expect.stringContaining('out.xml')], exitCode: 0 });
  expect(asked).toEqual(['/operator/api/statements/export?accountId=id-of-shop&from=2026-11-01&to=2026-11-30&format=camt053&language=en']);
  await expect(statement(nodeWith([]), line)).rejects.toThrow('is there already');
});

it('leaves nothing behind when the connection breaks, or the place cannot be written', async () => {
  const line = typed('--account', 'shop', '--year', '2026', '--out', out());
  await expect(statement(nodeWith(['<a>'], true), line)).rejects.toThrow('The connection to the node broke');
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(join(folder, 'file'), '');
  const wrong = typed('--account', 'shop', '--year', '2026', '--out', join(folder, 'file', 'x'));
  await expect(statement(nodeWith(['<a>']), wrong)).rejects.toThrow(/cannot write/);
  expect(existsSync(out())).toBe(false);
});

it.each([
  [['--month', '2026-11', '--out', 'x'], 'Name the account'],
  [['--account', 'shop', '--out', 'x'], 'Name the days'],
  [['--account', 'shop', '--month', '2026-11', '--year', '2026', '--out', 'x'], 'Name the days'],
  [['--account', 'shop', '--month', '2026-11'], 'Name the file'],
  [['--account', 'shop', '--month', '2026-11', '--out', 'x', '--format', 'pdf'], 'There is no format pdf'],
  [['--account', 'shop', '--month', '2026-11', '--out', 'x', '--language', 'xx'], 'There is no language xx'],
  [['--account', 'market', '--month', '2026-11', '--out', 'x'], 'There is no account market'],
])('says what is wrong with %j', async (words, told) => {
  const failing = statement(nodeWith([]), typed(...words));
  await expect(failing).rejects.toThrow(ReportedError);
  await expect(failing).rejects.toThrow(told);
});

it('knows the days in every way in which they are typed', () => {
  expect(periodOf({ quarter: '2026-Q1' })).toEqual({ from: '2026-01-01', to: '2026-03-31' });
  expect(periodOf({ from: '2026-11-02', until: '2026-11-05' })).toEqual({ from: '2026-11-02', to: '2026-11-05' });
  const wrongs: Record<string, string>[] = [
    { from: '2026-11-02' },
    { until: '2026-11-02' },
    { from: '2026-11-05', until: '2026-11-02' },
    { month: '2026-13' },
  ];
  for (const wrong of wrongs) expect(periodOf(wrong)).toBeUndefined();
});
