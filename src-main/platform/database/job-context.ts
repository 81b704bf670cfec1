import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What a caller wants its write jobs to know, without handing it through every function in between. The database carries it from the call to the job
 * and never looks at it.
 */
const running = new AsyncLocalStorage<{ context: object; over: boolean } | undefined>();
const contexts = new WeakMap<object, object>();

/** Does `work`: jobs that it asks for before it ends get `context`; see {@link jobContextOf}. */
export async function withJobContext<T>(context: object, work: () => Promise<T>): Promise<T> {
  const current = { context, over: false };
  try {
    return await running.run(current, work);
  } finally {
    // What goes on by itself afterwards, such as a timer that was set meanwhile, belongs to nobody.
    current.over = true;
  }
}

/** Runs `work` without a context, whoever woke it. */
export const withoutJobContext = <T>(work: () => T): T => running.run(undefined, work);

/** The context in whose course this is called, if any. */
export function currentJobContext(): object | undefined {
  const current = running.getStore();
  return current?.over === false ? current.context : undefined;
}

/** For databases: gives the job that holds `tx` now its context. */
export function setJobContext(tx: object, context: object | undefined): void {
  if (context === undefined) contexts.delete(tx);
  else contexts.set(tx, context);
}

/** The context of the write job that holds `tx`. */
export const jobContextOf = (tx: object): object | undefined => contexts.get(tx);
