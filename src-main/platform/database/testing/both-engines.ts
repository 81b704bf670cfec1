import type { TestDatabase } from './opened-test.ts';
import { hasPostgres } from './postgres-databases.ts';
import { openPostgresTest } from './postgres-test.ts';
import { openSqliteTest } from './sqlite-test.ts';

/** One database, as two processes of a node use it. */
interface TwiceOpened {
  test: TestDatabase;
  /** What the second process works with. */
  there: TestDatabase['database'];
  dispose(): Promise<void>;
}

/**
 * The engines that can run here, each with what opens a database of it twice. SQLite lets only one process write, so
 * there both work with the same object.
 */
export const BOTH_ENGINES: readonly { engine: string; open: () => TwiceOpened }[] = [
  {
    engine: 'SQLite',
    open: () => {
      const test = openSqliteTest({ rehearse: false });
      return { test, there: test.database, dispose: test.dispose };
    },
  },
  ...(hasPostgres ? [{ engine: 'PostgreSQL', open: openTwice }] : []),
];

function openTwice(): TwiceOpened {
  const test = openPostgresTest({});
  const there = test.again();
  return {
    test,
    there,
    dispose: async () => {
      await there.close();
      await test.dispose();
    },
  };
}

/** How often a test lets two processes act at the same moment. `PAYDESK_TEST_ROUNDS` makes it more. */
export const ROUNDS = Number(process.env.PAYDESK_TEST_ROUNDS ?? 50);

/** Waits so many turns of the event loop, so that two processes act in another order in each round. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
