import { it } from 'vitest';
import { engine } from './engine.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Why the test is left out on the engine of this run. `scripts/test-counts.mjs` reads it. */
    leftOut?: string;
  }
}

/**
 * A test that runs on SQLite only, because it asks SQLite itself. On the other engine it is listed as skipped, with the
 * reason.
 * @param why what the other engine has instead, or why the question does not arise there
 */
export const onSqlite =
  (why: string) =>
  (name: string, test: () => void | Promise<void>, timeout?: number): void => {
    if (engine === 'sqlite') it(name, test, timeout);
    else
      it(name, ({ task, skip }) => {
        task.meta.leftOut = why;
        skip(why);
      });
  };
