import type { EventType } from '../../src-shared/event-types.ts';
import { jobContextOf, withJobContext } from '../platform/database/job-context.ts';

/** Something the operator does, from the call to the write that makes it so. */
export class Act {
  /** The operation, such as `accounts.deposit`. */
  readonly operation: string;
  /** The event that says it was done. The write that appends it enters the act into the log of activities, too. */
  readonly event: EventType;

  constructor(operation: string, event: EventType) {
    this.operation = operation;
    this.event = event;
  }
}

/** Does `work` as an act of the operator: the writes that it asks for before it ends are known as theirs; see {@link actOf}. */
export const actAs = <T>(act: Act, work: () => Promise<T>): Promise<T> => withJobContext(act, work);

/** The act whose write job holds `tx`. */
export function actOf(tx: object): Act | undefined {
  const context = jobContextOf(tx);
  return context instanceof Act ? context : undefined;
}
