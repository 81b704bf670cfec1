import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventType } from './events.ts';

/** Something the operator does, from the call to the write that makes it so. */
export interface Act {
  /** The operation, such as `accounts.deposit`. */
  readonly operation: string;
  /** The event that says it was done. The write that appends it enters the act into the log of activities, too. */
  readonly event: EventType;
}

const acting = new AsyncLocalStorage<{ act: Act; over: boolean } | undefined>();
const actsOfJobs = new WeakMap<object, Act>();

/** Does `work` as an act of the operator: writes that it asks for before it ends are known as theirs; see {@link actOf}. */
export async function actAs<T>(act: Act, work: () => Promise<T>): Promise<T> {
  const current = { act, over: false };
  try {
    return await acting.run(current, work);
  } finally {
    // What goes on by itself afterwards, such as a timer that was set meanwhile, is the node's own doing.
    current.over = true;
  }
}

/** Runs `work` as the node's own doing, whoever woke it. */
export const actAsNode = <T>(work: () => T): T => acting.run(undefined, work);

/** The act in whose course this is called, if any. */
export function currentAct(): Act | undefined {
  const current = acting.getStore();
  return current?.over === false ? current.act : undefined;
}

/** For databases: says for which act the job runs that holds `tx` now. */
export function setActOf(tx: object, act: Act | undefined): void {
  if (act === undefined) actsOfJobs.delete(tx);
  else actsOfJobs.set(tx, act);
}

/** The act whose write job holds `tx`. */
export const actOf = (tx: object): Act | undefined => actsOfJobs.get(tx);
