import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Tx } from '../../platform/database/database.ts';
import { builder } from '../../platform/database/query-builder/builder.ts';
import { engine } from '../../platform/database/testing/engine.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { seenSignatures } from '../tables.ts';
import { MAX_AGE_SECONDS, madeBefore, marksBefore, marksOf, rememberMade } from './repetitions.ts';

let test: TestDatabase;
beforeEach(() => {
  test = openTestDatabase();
});
afterEach(() => test.dispose());

const NOW = 1_795_384_560;
const marksOfSigned = (...signed: { text: string; created?: number }[]) =>
  marksOf({
    targetUri: 'https://pay.example/quotes',
    signatures: signed.map(({ text, created = NOW }) => ({
      keyId: 'key',
      thumbprint: 'thumbprint',
      signature: Buffer.from(text),
      created,
      nonce: undefined,
    })),
  });

it('remembering a first request with one signature takes one statement, and all marks need one index only', async () => {
  let statements = 0;
  const counting: Tx = builder(async (...statement) => {
    statements += 1;
    return await test.execute(...statement);
  });
  expect(await rememberMade(counting, marksOfSigned({ text: 'a' }), 'made')).toBeUndefined();
  expect(statements).toBe(1);
  const indexes = {
    sqlite: "select name from sqlite_schema where type = 'index' and tbl_name = 'seen_signatures'",
    postgres: "select indexname from pg_indexes where tablename = 'seen_signatures'",
  };
  expect(await test.look(indexes[engine])).toHaveLength(1);
});

it('every signature of a copy leads to what the first request made', async () => {
  const remember = (texts: string[], id: string) =>
    test.database.write((tx) => rememberMade(tx, marksOfSigned(...texts.map((text) => ({ text }))), id));
  const found = (text: string) => madeBefore(test.database.read, marksOfSigned({ text }));
  expect(await remember(['a'], 'first')).toBeUndefined();
  expect(await remember(['b', 'a', 'c'], 'second')).toBe('first');
  expect([await found('a'), await found('b'), await found('c')]).toEqual(['first', 'first', 'first']);
  expect(await remember(['c'], 'third')).toBe('first');
});

it('a second process on the database recognises a copy, and so does the node after a restart', async () => {
  const marks = marksOfSigned({ text: 'a' });
  const another = test.again();
  await test.database.write((tx) => rememberMade(tx, marks, 'made'));
  expect(await another.write((tx) => rememberMade(tx, marks, 'made again'))).toBe('made');
  await another.close();
  const restarted = test.again();
  expect(await restarted.write((tx) => rememberMade(tx, marks, 'made again'))).toBe('made');
  await restarted.close();
});

it('marks are in the order in which they go, and no mark goes while its signature would still be accepted', async () => {
  const times = fc.uniqueArray(fc.integer({ min: 0, max: 20_000_000_000 }), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(times, fc.nat({ max: 9 }), fc.nat({ max: 999 }), async (created, chosen, milliseconds) => {
      const inOrder = created.toSorted((a, b) => a - b);
      const marks = inOrder.flatMap((time, n) => marksOfSigned({ text: `signature ${n}`, created: time }));
      expect(marks.toSorted()).toEqual(marks);
      await test.database.write(async (tx) => {
        await tx.delete(seenSignatures);
        await rememberMade(tx, marks, 'made');
      });
      const now = ((inOrder[chosen % inOrder.length] ?? 0) + MAX_AGE_SECONDS) * 1_000 + milliseconds;
      const accepted = inOrder.filter((time) => now - time * 1_000 <= MAX_AGE_SECONDS * 1_000).length;
      await test.database.write((tx) => tx.delete(seenSignatures).where(marksBefore(now)));
      expect((await test.database.read.select().from(seenSignatures)).length).toBeGreaterThanOrEqual(accepted);
    }),
    { numRuns: 40 },
  );
});
