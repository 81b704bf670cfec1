import { oc } from '@orpc/contract';
import type { ActivityKind } from '../activity-kinds.ts';
import type { EventType } from '../event-types.ts';
import type { Audience } from '../people/roles.ts';

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
  readonly may: Audience;
  /** What it does, in a sentence for the readers of `/operator/openapi.json`. */
  readonly summary: string;
};

/** Begins an operation that changes nothing the operator would have to answer for. @param may who may call it. */
export const reads = (may: Audience, summary: string) => oc.$meta<OperationMeta>({ act: null, may, summary });

/** Begins an operation that is entered into the activity log when `event` is appended. @param may who may call it. */
export const does = (may: Audience, kind: ActivityKind, event: EventType, summary: string) =>
  oc.$meta<OperationMeta>({ act: { kind, event }, may, summary });
