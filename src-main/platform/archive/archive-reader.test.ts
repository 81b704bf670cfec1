import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { append, NO_HASH } from './archive-file.ts';
import { type ArchivePlace, readArchive } from './archive-reader.ts';
import type { ArchiveFile } from './tables.ts';

/** Lines of one frame, and frames of one file. */
const [LINES, FRAMES] = [10, 4];

let folder: string;
let files: ArchiveFile[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-archive-'));
  files = [await written('one'), await written('two')];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A file in which every other line is of the payment `a`. */
async function written(id: string): Promise<ArchiveFile> {
  const key = Buffer.alloc(32, 7).toString('base64url');
  let file: ArchiveFile = { id, month: '2026-01', key, bytes: 0, hash: NO_HASH, rows: 0, closed: false };
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const lines = Array.from({ length: LINES }, (_, n) => `${n % 2 === 0 ? 'a' : 'b'} ${id} ${frame} ${n}`);
    file = { ...file, ...(await append(folder, file, lines)) };
  }
  return file;
}

it.each([
  ['stops at the end of the frame in which it has enough', 12, [15, 15, 10]],
  ['stops at the end of a file', 20, [20, 20]],
  ['has all in one part', 100, [40]],
])('a search of the archive %s, and goes on there', async (_, most, lengths) => {
  const found: string[] = [];
  const parts: number[] = [];
  let from: ArchivePlace | undefined;
  do {
    const { files: read, next } = await readArchive({ folder, files, search: { beginning: 'a ', from, most } });
    expect(read.map(({ state }) => state)).toEqual(read.map(() => 'whole'));
    const lines = read.flatMap((file) => file.lines);
    found.push(...lines);
    parts.push(lines.length);
    from = next;
  } while (from !== undefined);
  expect(parts).toEqual(lengths);
  expect(new Set(found).size).toBe(found.length);
  expect(found.every((line) => line.startsWith('a '))).toBe(true);
});

it('a search that goes on in a file which is not there any more says so, and does not begin anew', async () => {
  const from = { file: 'gone', bytes: 0, hash: NO_HASH };
  const { files: read, next } = await readArchive({ folder, files, search: { beginning: 'a ', from, most: 10 } });
  expect([read, next]).toEqual([[{ id: 'gone', state: 'missing', lines: [] }], undefined]);
});
