import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What a caller wants its write jobs to know. The functions between the caller and the job need not pass it on: the
 * database carries it from the call to the job and never looks at it.
 */
const running = new AsyncLocalStorage<{ context: object; over: boolean } | undefined>();
const contexts = new WeakMap<object, object>();

/** Runs `work`. The write jobs that it asks for before it ends get `context`; see {@link jobContextOf}. */
export async function withJobContext<T>(context: object, work: () => Promise<T>): Promise<T> {
  const current = { context, over: false };
  try {
    return await running.run(current, work);
  } finally {
    // What `work` has started and left running, such as a timer, has no context from here on.
    current.over = true;
  }
}

/** Runs `work` without a context, even when the caller has one. */
export const withoutJobContext = <T>(work: () => T): T => running.run(undefined, () => refusable.run(undefined, work));

const refusable = new AsyncLocalStorage<{ over: boolean } | undefined>();

/**
 * Runs `work` that may be refused while there is too much to do: nobody has been promised anything yet. Its write jobs
 * come after all others, and `DatabaseBusy` refuses them when they would wait too long.
 * @returns a function that ends it. What `work` has left running can no longer be refused then.
 */
export function asRefusable(work: () => void): () => void {
  const current = { over: false };
  refusable.run(current, work);
  return () => {
    current.over = true;
  };
}

/** Whether the work that calls this function may be refused; see {@link asRefusable}. */
export const isRefusable = (): boolean => refusable.getStore()?.over === false;

/** The context of the work that calls this function. It is undefined when there is none. */
export function currentJobContext(): object | undefined {
  const current = running.getStore();
  return current?.over === false ? current.context : undefined;
}

/** Gives the job that now holds `tx` its context. Only a database calls it. */
export function setJobContext(tx: object, context: object | undefined): void {
  if (context === undefined) contexts.delete(tx);
  else contexts.set(tx, context);
}

/** The context of the write job that holds `tx`. It is undefined when the job has none. */
export const jobContextOf = (tx: object): object | undefined => contexts.get(tx);
