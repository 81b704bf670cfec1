import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events } from '../journal/tables.ts';
import { START } from '../payments/testing/two-worlds.ts';
import { closeArchiveFiles, filesOf } from '../platform/archive/archive.ts';
import { archiveFrames } from '../platform/archive/tables.ts';
import { watchFailPoints } from '../platform/fail-points.ts';
import { DAY_MS } from '../platform/retention/rule.ts';
import { ArchivingWorld, PLACES } from './testing/archiving-world.ts';

let books: ArchivingWorld;
beforeEach(async () => {
  books = await ArchivingWorld.open();
});
afterEach(() => books.close());

describe('the archive', () => {
  it.each(PLACES)('loses and doubles nothing when the node dies at any step of a batch %s', async (_, shared) => {
    books.inDatabase = shared;
    await books.paid(1_000n, 'elsewhere');
    await books.paid(700n, 'here');
    const before = await books.everything();
    books.world.clock.advance(91 * DAY_MS);
    const steps: number[] = [];
    for (let nth = 1; nth < 10; nth++) {
      let passed = 0;
      // A dead node passes nothing more.
      watchFailPoints((point) => {
        if (point !== 'archive-step') return;
        passed += 1;
        if (passed >= nth) throw new Error('the node died');
      });
      const removed = await books.look();
      watchFailPoints();
      expect(await books.everything()).toEqual(before);
      expect(await books.findings()).toEqual([]);
      steps.push(removed);
      if (removed > 0) break;
    }
    // The file is in the books, written, on the disk, and noted. In the database it is written when it is noted.
    expect(steps.length).toBeGreaterThanOrEqual(shared ? 3 : 4);
    expect(steps.at(-1)).toBeGreaterThan(0);
  });

  it('says which of its files is damaged or missing, and goes on in another one', async () => {
    const id = await books.paid(1_000n, 'elsewhere');
    await books.paid(10n, 'elsewhere');
    books.world.clock.advance(91 * DAY_MS);
    await books.look();
    const [file] = await filesOf(books.database.read);
    if (file === undefined) throw new Error('nothing was archived');
    const path = join(books.folder, `${file.id}.archive`);
    const whole = readFileSync(path);
    const problems = async () => (await books.detailsOf(id))?.problems;
    for (const at of [0, 20, whole.length - 1]) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(path, changed);
      expect(await problems()).toEqual([{ file: file.id, state: 'damaged' }]);
    }
    writeFileSync(path, whole.subarray(0, -10));
    expect(await problems()).toEqual([{ file: file.id, state: 'damaged' }]);
    rmSync(path);
    expect(await problems()).toEqual([{ file: file.id, state: 'missing' }]);
    expect((await books.detailsOf(id))?.rows).toEqual([]);

    // Of the same month, and archived later.
    await books.database.write(
      async (tx) =>
        void (await tx.insert(events).values({ position: 9_000n, type: 'outgoing_payment.sent', subject: id, body: {}, at: START })),
    );
    await books.paid(10n, 'elsewhere');
    await books.look();
    const files = await filesOf(books.database.read);
    expect(files.map(({ month, closed }) => [month, closed])).toEqual(
      expect.arrayContaining([
        ['2026-01', true],
        ['2026-01', false],
      ]),
    );
    expect((await books.detailsOf(id))?.rows.map(({ row }) => row.position)).toEqual(['9000']);
  });

  it('says that a file of the database is damaged when a frame was changed or is gone, and reads files of both places', async () => {
    const id = await books.paid(1_000n, 'elsewhere');
    books.world.clock.advance(91 * DAY_MS);
    await books.look();
    books.inDatabase = true;
    // The books were moved, so nothing is added to the file in the folder. What follows stands in the database.
    await books.database.write(async (tx) => {
      for (let position = 9_000n; position < 9_250n; position += 1n)
        await tx.insert(events).values({ position, type: 'outgoing_payment.sent', subject: id, body: {}, at: START });
    });
    await books.paid(10n, 'elsewhere');
    await books.look();
    const whole = await books.detailsOf(id);
    expect(whole?.problems).toEqual([]);
    expect(whole?.rows.filter(({ row }) => Number(row.position) >= 9_000)).toHaveLength(250);
    expect(whole?.rows.filter(({ row }) => row.type === 'outgoing_payment.created')).toHaveLength(1);
    expect((await filesOf(books.database.read)).map(({ closed }) => closed).toSorted()).toEqual([false, true]);

    const frames = await books.database.read.select().from(archiveFrames);
    expect(frames.length).toBeGreaterThan(1);
    const [first, last] = [frames[0], frames.at(-1)];
    const change = (at: number, frame: string) =>
      books.database.write((tx) => tx.update(archiveFrames).set({ frame }).where(eq(archiveFrames.at, at)));
    const problem = [{ file: first?.file, state: 'damaged' }];
    await change(0, `${first?.frame.slice(0, -8)}AAAAAAAA`);
    expect((await books.detailsOf(id))?.problems).toEqual(problem);
    await change(0, first?.frame ?? '');
    expect((await books.detailsOf(id))?.problems).toEqual([]);
    await books.database.write((tx) => tx.delete(archiveFrames).where(eq(archiveFrames.at, last?.at ?? 0)));
    expect((await books.detailsOf(id))?.problems).toEqual(problem);
  });

  it('goes past what a clock far ahead has written', async () => {
    const ahead = Array.from({ length: 250 }, (_, n) => ({ position: 5_000n + BigInt(n), at: START + 400 * DAY_MS }));
    await books.database.write(async (tx) => {
      for (const one of ahead) await tx.insert(events).values({ ...one, type: 'outgoing_payment.sent', subject: 'of-then', body: {} });
    });
    const id = await books.paid(1_000n, 'here');
    await books.paid(10n, 'here');
    books.world.clock.advance(91 * DAY_MS);
    await books.look();
    expect((await books.detailsOf(id))?.rows.length).toBeGreaterThan(0);
    expect((await books.database.read.select().from(events)).filter(({ subject }) => subject === 'of-then')).toHaveLength(250);
  });

  it('reads a file however long it is, a piece at a time', async () => {
    const id = await books.paid(1_000n, 'elsewhere');
    await books.paid(10n, 'elsewhere');
    books.world.clock.advance(91 * DAY_MS);
    await books.look();
    const [file] = await filesOf(books.database.read);
    // What stands behind the known end belongs to nobody. It takes no room on the disk.
    truncateSync(join(books.folder, `${file?.id}.archive`), 2 ** 31 + 10);
    const details = await books.detailsOf(id);
    expect(details?.problems).toEqual([]);
    expect(details?.rows.length).toBeGreaterThan(0);
  });

  it('leaves the files of books that were replaced as they are', async () => {
    await books.paid(1_000n, 'elsewhere');
    books.world.clock.advance(91 * DAY_MS);
    await books.look();
    const [file] = await filesOf(books.database.read);
    if (file === undefined) throw new Error('nothing was archived');
    const path = join(books.folder, `${file.id}.archive`);
    // What the replaced books archived after the copy was made.
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(99, 1)]));
    const bytes = readFileSync(path);
    await books.database.write(closeArchiveFiles);
    await books.paid(500n, 'elsewhere');
    books.world.clock.advance(91 * DAY_MS);
    await books.look();
    expect(readFileSync(path)).toEqual(bytes);
    expect((await filesOf(books.database.read)).map(({ month }) => month)).toEqual(['2026-01', '2026-01', '2026-04']);
    await books.everything();
  });

  it('belongs to its owner only, and shows nothing to whoever has the files without the books', async () => {
    const id = await books.paid(1_000n, 'elsewhere');
    books.world.clock.advance(91 * DAY_MS);
    await books.look();
    const [file] = await filesOf(books.database.read);
    const path = join(books.folder, `${file?.id}.archive`);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(readFileSync(path).includes(id)).toBe(false);
    expect(readFileSync(path).length).toBe(file?.bytes);
  });
});
