import { oc } from '@orpc/contract';
import type { ActivityKind } from '../activity-kinds.ts';
import type { EventType } from '../event-types.ts';

/** What an operation enters into the activity log. */
export interface LoggedAct {
  readonly kind: ActivityKind;
  /** The event that shows that it was done: the write that appends this event enters the act into the log. */
  readonly event: EventType;
}

/** What every operation of the contract states besides its route, its input and its output. */
export type OperationMeta = {
  /** It is null for an operation that changes nothing the operator would have to answer for. */
  readonly act: LoggedAct | null;
};

/** Begins an operation that changes nothing the operator would have to answer for. */
export const reads = oc.$meta<OperationMeta>({ act: null });

/** Begins an operation that is entered into the activity log when `event` is appended. */
export const does = (kind: ActivityKind, event: EventType) => oc.$meta<OperationMeta>({ act: { kind, event } });
