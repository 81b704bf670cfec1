import type { EventType } from '../../src-shared/event-types.ts';
import type { Reader } from '../platform/database/database.ts';
import { jobContextOf, withJobContext } from '../platform/database/job-context.ts';
import type { Doer } from './doer.ts';

/** Something that the operator does, from the call to the write that does it. */
export class Act {
  /** The operation, such as `accounts.deposit`. */
  readonly operation: string;
  /**
   * The event that says that it was done. The write that appends the event also enters the act into the activity log.
   */
  readonly event: EventType;
  /** The write that does the act asks this. It throws when the act may not be done any more. */
  readonly mayBeDone: ((tx: Reader) => Promise<void>) | undefined;
  /** It is undefined when the node does it by itself, or does not know who. */
  readonly by: Doer | undefined;

  constructor(operation: string, event: EventType, { mayBeDone, by }: Pick<Partial<Act>, 'mayBeDone' | 'by'> = {}) {
    this.operation = operation;
    this.event = event;
    this.mayBeDone = mayBeDone;
    this.by = by;
  }
}

/**
 * Runs `work` as an act of the operator. The writes that it asks for before it ends belong to the act; see {@link
 * actOf}.
 */
export const actAs = <T>(act: Act, work: () => Promise<T>): Promise<T> => withJobContext(act, work);

/** The act to which the write job that holds `tx` belongs. It is undefined when the operator does not act. */
export function actOf(tx: object): Act | undefined {
  const context = jobContextOf(tx);
  return context instanceof Act ? context : undefined;
}
