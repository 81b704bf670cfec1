import { useState } from 'react';
import type { ApprovalRequest } from '../../src-shared/operator-contract/approvals.ts';

/**
 * Requests that were shown as waiting and have lapsed since. The node does not list them any more, but the operator who
 * was about to decide should read why they are gone.
 */
export function useLapsed(
  waiting: readonly ApprovalRequest[] | undefined,
  now: Date,
): { lapsed: ApprovalRequest[]; dismiss: (id: string) => void } {
  const [seen, setSeen] = useState<ReadonlyMap<string, ApprovalRequest>>(new Map());
  const shown = waiting === undefined ? seen : withLapsed(seen, waiting, now);
  if (shown !== seen) setSeen(shown);
  const dismiss = (id: string) => setSeen((before) => new Map([...before].filter(([one]) => one !== id)));
  return { lapsed: [...seen.values()].filter(({ lapsesAt }) => lapsesAt <= now), dismiss };
}

/** The requests that wait, and those of `before` that have lapsed since; `before` itself when these are the same. */
function withLapsed(
  before: ReadonlyMap<string, ApprovalRequest>,
  waiting: readonly ApprovalRequest[],
  now: Date,
): ReadonlyMap<string, ApprovalRequest> {
  const listed = new Map(waiting.map((request) => [request.id, request]));
  // A request that is gone before its time was decided; the operator was told so where it was decided.
  const gone = [...before].filter(([id, { lapsesAt }]) => !listed.has(id) && lapsesAt <= now);
  const after = new Map([...gone, ...listed]);
  return sameKeys(before, after) ? before : after;
}

const sameKeys = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean =>
  a.size === b.size && [...a.keys()].every((key) => b.has(key));
