import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../database.ts';
import { withJobContext } from '../job-context.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { counters, DriverTest, note } from './testing/driver-test.ts';
import { SideBySideChecker } from './testing/side-by-side-checker.ts';

const test = await DriverTest.start();
beforeEach(({ skip }) => skip(!test.canRun));
afterEach(() => test.closeAll());
afterAll(() => test.stop());

async function valueIn(tx: Tx, id: string): Promise<bigint> {
  const [row] = await tx.select().from(counters).where(eq(counters.id, id));
  return row?.value ?? 0n;
}
const set = (tx: Tx, id: string, value: bigint) => tx.update(counters).set({ value }).where(eq(counters.id, id));
const fill = (database: PostgresDatabase, values: Record<string, bigint>) =>
  database.write((tx) => tx.insert(counters).values(Object.entries(values).map(([id, value]) => ({ id, value }))));

describe('jobs that name different things', () => {
  it('run interleaved, and those that share a word one after the other', async () => {
    const said: string[] = [];
    const database = test.open(await test.fresh(), { listens: false });
    await fill(database, { a: 0n, b: 0n, c: 0n });
    const job = (name: string, touches?: string[]) =>
      database.write(async (tx) => {
        said.push(`${name} begins`);
        await valueIn(tx, name);
        await valueIn(tx, name);
        said.push(`${name} ends`);
      }, touches);
    await Promise.all([job('a', ['x']), job('b', ['y']), job('c', ['z', 'x']), job('alone'), job('d', ['w'])]);
    const at = (event: string) => said.indexOf(event);
    expect(at('b begins')).toBeLessThan(at('a ends'));
    expect(at('c begins')).toBeGreaterThan(at('a ends'));
    expect(at('alone begins')).toBeGreaterThan(Math.max(at('a ends'), at('b ends'), at('c ends')));
    expect(at('d begins')).toBeGreaterThan(at('alone ends'));
  });

  it('run beside none that names nothing, also where that one is an act of somebody', async () => {
    const said: string[] = [];
    const database = test.open(await test.fresh(), { listens: false });
    const job = (name: string, touches: string[]) =>
      database.write(async (tx) => {
        said.push(`${name} begins`);
        await valueIn(tx, name);
        said.push(`${name} ends`);
      }, touches);
    await Promise.all([job('a', ['x']), withJobContext({}, () => job('act', [])), job('b', ['y'])]);
    expect(said).toEqual(['a begins', 'a ends', 'act begins', 'act ends', 'b begins', 'b ends']);
  });

  it('end as in some order of them, whatever they do and however their statements mix', async () => {
    const checker = new SideBySideChecker({ seeds: [1, 2, 3] });
    const database = test.open(await test.fresh(), { listens: false, rehearse: checker.rehearsal });
    const counter = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ does: fc.constant('move' as const), from: counter, to: counter }),
      fc.record({ does: fc.constant('write down' as const), from: counter }),
      fc.record({ does: fc.constant('refuse' as const), from: counter }),
      fc.constant({ does: 'count' as const }),
    );
    type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
    let batch = 0;
    const carryOut = async (tx: Tx, one: Step, id: string): Promise<void> => {
      if (one.does === 'count')
        await tx
          .update(counters)
          .set({ value: sql`${counters.value} + ${1n}` })
          .where(eq(counters.id, 'hot'));
      else {
        const value = await valueIn(tx, one.from);
        if (one.does === 'write down') await note(tx, id, `${one.from} is ${value}`);
        else if (one.does === 'refuse' && value > 4n) throw new Error('too much');
        else if (one.does === 'move' && value > 0n) {
          await set(tx, one.from, value - 1n);
          await set(tx, one.to, (await valueIn(tx, one.to)) + 1n);
        }
      }
    };
    await fill(database, { a: 3n, b: 3n, c: 3n, hot: 0n });
    const jobs = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(jobs, async (all) => {
        batch += 1;
        const name = batch;
        await Promise.allSettled(
          all.map((steps, place) =>
            database.write(
              async (tx) => {
                for (const [index, one] of steps.entries()) await carryOut(tx, one, `${name}/${place}/${index}`);
              },
              [`job ${place}`, ...steps.flatMap((one) => ('from' in one ? ['to' in one ? one.to : one.from, one.from] : []))],
            ),
          ),
        );
        expect(checker.findings).toEqual([]);
      }),
      { numRuns: 10 },
    );
    expect(checker.checked.interleavings).toBeGreaterThanOrEqual(30);
    const rows = await database.read.select().from(counters);
    expect(rows.reduce((sum, { id, value }) => (id === 'hot' ? sum : sum + value), 0n)).toBe(9n);
  });
});

describe('the checker finds', () => {
  async function checked(...jobs: [touches: string[], job: (tx: Tx) => Promise<unknown>][]): Promise<string[]> {
    const checker = new SideBySideChecker({ seeds: Array.from({ length: 12 }, (_, seed) => seed) });
    const url = await test.fresh();
    await fill(test.open(url, { listens: false }), { a: 1n, b: 1n });
    const database = test.open(url, { listens: false, rehearse: checker.rehearsal });
    await Promise.all(jobs.map(([touches, job]) => database.write(job, touches)));
    expect(checker.checked).toEqual({ batches: 1, interleavings: 12 });
    return checker.findings;
  }
  const increase = async (tx: Tx) => set(tx, 'a', (await valueIn(tx, 'a')) + 1n);
  /** Empties a counter when the other one still has something. */
  const skew = (emptied: string, other: string) => async (tx: Tx) => {
    if ((await valueIn(tx, other)) > 0n) await set(tx, emptied, 0n);
  };

  it('nothing, when jobs name what they read', async () => {
    expect(await checked([['a'], increase], [['a'], increase])).toEqual([]);
    expect(await checked([['a', 'b'], skew('a', 'b')], [['b', 'a'], skew('b', 'a')])).toEqual([]);
  });

  it('an update that is lost, because two jobs read and write the same and do not say so', async () => {
    const findings = await checked([['one'], increase], [['two'], increase]);
    expect(findings).toContainEqual(expect.stringMatching(/^the job of \(two\) reads what the job of \(one\) wrote, .* from "counters"/));
    expect(findings).toContainEqual(expect.stringMatching(/^no order of the job of \(one\), the job of \(two\) ends as .* 0 1 0 1 /));
  });

  it('two decisions that must not both be taken, because each job names only what it writes', async () => {
    const findings = await checked([['a'], skew('a', 'b')], [['b'], skew('b', 'a')]);
    expect(findings.filter((finding) => finding.includes('share no word'))).toHaveLength(2);
    expect(findings.filter((finding) => finding.startsWith('no order'))).not.toEqual([]);
  });

  it('a read of what another job writes, though no interleaving of them shows it', async () => {
    const findings = await checked([['a'], increase], [['reader'], (tx) => note(tx, 'n').then(() => valueIn(tx, 'a'))]);
    expect(findings).toEqual([expect.stringContaining('the job of (reader) reads what the job of (a) wrote')]);
  });

  it('nothing in what one statement checks and changes by itself', async () => {
    const take = (tx: Tx) =>
      tx
        .update(counters)
        .set({ value: sql`${counters.value} + ${1n}` })
        .where(sql`${counters.id} = ${'a'} and ${counters.value} < ${9n}`);
    expect(await checked([['one'], take], [['two'], take], [['three'], take])).toEqual([]);
  });
});
